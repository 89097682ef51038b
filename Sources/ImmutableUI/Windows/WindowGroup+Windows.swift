/// Why a request about a window, a stream or a page cannot be granted.
public struct WindowError: Error, Hashable, Sendable {
  public enum Code: Hashable, Sendable {
    /// There is no such page: 404.
    case unknownPage
    /// There is no such stream in this session: 404.
    case unknownStream
    /// There is no such window in this session: 404.
    case unknownWindow
    /// The session has too many windows, or there are too many in all: 503.
    case tooManyWindows
    /// There are too many streams, of the session, of the address or in all: 503.
    case tooManyStreams
    /// Windows show too much that differs: 503.
    case tooManyPlaces
    /// Listeners are behind: 503.
    case overloaded
    /// The pages of a group are of several stores: it is not made.
    case severalStores
  }

  public let code: Code
  /// A sentence that says what to do.
  public let message: String

  public init(code: Code, message: String) {
    self.code = code
    self.message = message
  }
}

// Streams.
extension WindowGroup {
  /// Lets a stream in.
  ///
  /// - Parameters:
  ///   - id: The stream's.
  ///   - session: Whose stream it is.
  ///   - address: Where from; `nil`: it counts for no address.
  /// - Returns: Its first event, and the version in it.
  /// - Throws: ``WindowError`` when there are too many; nothing has changed.
  public func openStream(
    _ id: Identifier,
    session: Identifier,
    address: String? = nil
  ) throws -> (event: StreamEvent, version: UInt64) {
    let limits = self.configuration
    guard self.registry.streams.count < limits.streams else {
      throw WindowError(
        code: .tooManyStreams,
        message: "The server has as many open windows as it can. Try again in a moment."
      )
    }
    guard self.registry.streamCount(of: session) < limits.streamsPerSession,
      address.map({ self.registry.streamCount(at: $0) < limits.streamsPerAddress }) != false
    else {
      throw WindowError(
        code: .tooManyStreams,
        message: "This browser or network has too many windows open here. Close some of them."
      )
    }
    self.registry.addStream(id, of: session, at: address)
    let version = self.version
    return (EventWriter.open(stream: id, boot: self.boot, version: version), version)
  }

  /// Forgets a stream that ended, with its windows.
  public func closeStream(_ id: Identifier) {
    for window in self.registry.removeStream(id) {
      self.leavePlace(window)
    }
  }

  /// The newest version of any store.
  private var version: UInt64 {
    self.stores.map { $0.snapshot().version }.max() ?? 0
  }

  /// Ends all streams with a last event that has their clients come back.
  ///
  /// - Parameter retry: After how long, in milliseconds.
  public func closeStreams(retry: Int) {
    self.send([.goodbye(EventWriter.goodbye(version: self.version, retry: retry))])
  }

  public var streamCount: Int { self.registry.streams.count }
  public var windowCount: Int { self.registry.windows.count }
}

// Windows.
extension WindowGroup {
  /// Makes a window on a stream, and sends it what it does not have.
  ///
  /// - Parameters:
  ///   - stream: One of the session's streams.
  ///   - session: Whose window it is.
  ///   - url: Path and query of the page that the window shows.
  ///   - navigation: The window's own number for it.
  ///   - tags: By region, the tags of what it shows.
  ///   - environment: That of the window.
  /// - Returns: The window's id.
  /// - Throws: ``WindowError``; nothing has changed.
  public func join(
    stream: Identifier,
    session: Identifier,
    at url: String,
    navigation: Int,
    tags: [String: String],
    environment: WindowEnvironment = WindowEnvironment()
  ) throws -> Identifier {
    guard self.registry.streams[stream]?.session == session else {
      throw WindowError(code: .unknownStream, message: "There is no such stream. Open a new one.")
    }
    guard self.registry.windowCount(of: session) < self.configuration.windowsPerSession else {
      throw WindowError(
        code: .tooManyWindows,
        message: "This browser has too many windows open here. Close some of them."
      )
    }
    guard self.registry.windows.count < self.configuration.windows else {
      throw WindowError(
        code: .tooManyWindows,
        message: "The server has as many open windows as it can. Try again in a moment."
      )
    }
    let place = try self.place(at: url, environment)
    let tags = place.known(tags)
    let id = Identifier()
    self.registry.addWindow(
      id,
      WindowRegistry.Window(
        session: session,
        stream: stream,
        place: place.id,
        location: place.location,
        navigation: navigation
      )
    )
    self.places.enter(place)
    self.show(id, stream: stream, at: place, navigation: navigation, tags: tags) { region in
      tags[region.name].flatMap { self.known($0, region) }
    }
    self.didShow(place)
    return id
  }

  /// Takes a window to another URL, and sends it what it does not have.
  ///
  /// - Parameters:
  ///   - window: One of the session's windows.
  ///   - session: Whose window it is.
  ///   - url: Path and query of the page to show.
  ///   - navigation: The window's own number for it; the newest wins.
  ///   - tags: By region, the tags of what it shows; `nil`: what it was last sent.
  ///   - environment: That of the window.
  /// - Throws: ``WindowError``; nothing has changed.
  public func navigate(
    _ window: Identifier,
    session: Identifier,
    to url: String,
    navigation: Int,
    tags: [String: String]?,
    environment: WindowEnvironment = WindowEnvironment()
  ) throws {
    let old = try self.window(window, of: session)
    guard navigation >= old.navigation else { return }
    let oldPlace = self.places[old.location]
    let shown = oldPlace?.composition
    let place = try self.place(at: url, environment)
    self.registry.put(window, at: place, navigation: navigation)
    self.places.enter(place)
    if let oldPlace {
      self.places.leave(oldPlace, &self.regions)
    }
    self.didShow(place)
    let tags = tags.map(place.known)
    self.show(
      window,
      stream: old.stream,
      at: place,
      navigation: navigation,
      tags: tags ?? [:]
    ) { region in
      if let tags {
        tags[region.name].flatMap { self.known($0, region, shown?.rendered(region.name)) }
      } else {
        shown?.rendered(region.name)
      }
    }
  }

  /// Shows a window anew that was not sent what it should have been.
  ///
  /// - Parameter tags: By region, the tags of what it shows.
  public func showAgain(_ window: Identifier, tags: [String: String]) {
    guard let known = self.registry.windows[window], let place = self.places[known.location] else {
      return
    }
    self.show(
      window,
      stream: known.stream,
      at: place,
      navigation: known.navigation,
      tags: tags
    ) { region in
      tags[region.name].flatMap { self.known($0, region) }
    }
  }

  /// Forgets a window whose tab has closed or gone elsewhere.
  ///
  /// - Throws: ``WindowError`` when it is not the session's.
  public func leave(_ window: Identifier, session: Identifier) throws {
    let known = try self.window(window, of: session)
    _ = self.registry.removeWindow(window)
    self.leavePlace(known)
    self.send([.leave(stream: known.stream, window: window)])
  }
}

extension WindowGroup {
  func window(_ id: Identifier, of session: Identifier) throws -> WindowRegistry.Window {
    guard let window = self.registry.windows[id], window.session == session else {
      throw WindowError(code: .unknownWindow, message: "There is no such window. Join again.")
    }
    return window
  }

  /// The place of a URL, normalised, at the newest version.
  private func place(at url: String, _ environment: WindowEnvironment) throws -> Place {
    let parts = url.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    guard let path = parts.first, let page = self.pages[String(path)] else {
      throw WindowError(code: .unknownPage, message: "There is no page at \(url).")
    }
    let (version, snapshot) = self.snapshot(of: page)
    let requested = page.locateWindow(Query(parts.dropFirst().first ?? ""), environment)
    let location = self.normalize(page, requested, snapshot)
    return try self.place(page, location, version, snapshot)
  }

  /// What a tag stands for: the newest render, the one that was shown last, or one that is held.
  private func known(
    _ tag: String,
    _ region: Composition.Region,
    _ shown: Rendered? = nil
  ) -> Rendered? {
    if region.rendered.tag.text == tag { return region.rendered }
    return shown?.tag.text == tag ? shown : self.heldRender(tag)
  }

  /// A window shows a place: what happens then comes to it by a frame.
  private func didShow(_ place: Place) {
    let (page, location) = (place.page, place.location)
    if let dispatch = page.appear(location) {
      Task { await self.appear(page, dispatch) }
    }
  }

  /// Dispatches what happens as a page first shows. A refusal means that there is nothing to do.
  nonisolated func appear(
    _ page: ProvidedPage,
    _ dispatch: @MainActor @Sendable () -> [any Error]
  ) async {
    for error in await dispatch() {
      self.logUnlessRefusal(error, at: page.path, form: nil)
    }
  }

  private func leavePlace(_ window: WindowRegistry.Window) {
    if let place = self.places[window.location] {
      self.places.leave(place, &self.regions)
    }
  }

  private func show(
    _ window: Identifier,
    stream: Identifier,
    at place: Place,
    navigation: Int,
    tags: [String: String],
    has old: (Composition.Region) -> Rendered?
  ) {
    let (version, _) = place.page.store.snapshot()
    var patches = PatchCache(counters: self.counters)
    let event = EventWriter.show(
      window: window,
      navigation: navigation,
      place: place,
      version: version,
      patches: patches.patches(to: place.composition, from: old)
    )
    self.send([
      .show(
        Show(
          stream: stream,
          window: window,
          place: place.id,
          version: version,
          composition: place.composition,
          tags: tags,
          event: event
        )
      )
    ])
  }
}
