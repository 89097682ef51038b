public import ImmutableUI

// Streams.
extension WindowGroup {
  /// Registers a stream.
  ///
  /// - Parameters:
  ///   - id: The stream's id.
  ///   - session: The session that it belongs to.
  ///   - network: The client's network; `nil` if no limit per network applies.
  ///   - window: The id of a window that will join it immediately.
  ///   - protocolVersion: The version of the protocol that its client knows; `nil` if it does not say.
  ///     Otherwise its windows are sent everything whenever they join or navigate, and the scripts of
  ///     another version what they cannot apply, so that they reload the page.
  ///   - hasCurrentFiles: Whether its pages have the styles and scripts of this server. Otherwise its
  ///     windows are told that they are outdated.
  /// - Returns: Its first event.
  /// - Throws: ``WindowError`` if there are too many; nothing has changed.
  public func openStream(
    _ id: Identifier,
    session: Identifier,
    network: String? = nil,
    window: Identifier? = nil,
    protocolVersion: String? = WindowGroup.protocolVersion,
    hasCurrentFiles: Bool = true
  ) throws -> StreamEvent {
    try self.directory.addStream(
      id,
      of: session,
      at: network,
      release: protocolVersion.map { version in
        version == Self.protocolVersion ? (hasCurrentFiles ? .this : .outdated) : .other
      } ?? .unknown,
      limits: self.configuration
    )
    return EventWriter.open(stream: id, boot: self.boot, window: window, version: self.version)
  }

  /// The version of the protocol of docs/PROTOCOL.md.
  public static var protocolVersion: String { EventWriter.protocolVersion }

  /// Tells a stream that the window of its first event could not join.
  ///
  /// - Parameter message: Why.
  public func refuse(_ window: Identifier, on stream: Identifier, message: String) {
    let event = EventWriter.refused(window, message: message, version: self.version)
    self.outbox.send([.tell(stream: stream, event)])
  }

  /// Forgets a stream that has ended, and its windows.
  public func closeStream(_ id: Identifier) async {
    for window in self.directory.removeStream(id) {
      await window.product.forget(window.id, since: nil)
    }
  }

  /// The newest version of any store. It only shows that something has happened.
  private var version: UInt64 {
    self.allProducts.map(\.version).max() ?? 0
  }

  /// Ends all streams with a last event that makes their clients reconnect.
  ///
  /// - Parameters:
  ///   - retry: The delay before they reconnect, in milliseconds.
  ///   - isLast: Whether streams that open later end immediately too.
  public func closeStreams(retry: Int, isLast: Bool = true) {
    let event = EventWriter.goodbye(version: self.version, retry: retry)
    self.outbox.send([.goodbye(event, isLast: isLast)])
  }

  public var streamCount: Int { self.directory.streamCount }
  public var windowCount: Int { self.directory.windowCount }
}

// Windows.
extension WindowGroup {
  /// Creates a window on a stream and sends it whatever it is missing.
  ///
  /// - Parameters:
  ///   - id: A new id for the window.
  ///   - stream: One of the session's streams.
  ///   - session: The session that the window belongs to.
  ///   - url: Path and query of the page that the window shows.
  ///   - navigation: The number that the window gave this navigation.
  ///   - tags: The tags of the regions that the window shows, by region.
  ///   - awaited: The submissions whose ends the window was not told, for example because its stream
  ///     has ended. It is told those that have succeeded, now or later.
  ///   - environment: The window's environment.
  ///   - requester: The client for which the page is rendered.
  /// - Returns: The window's id.
  /// - Throws: ``WindowError``; nothing has changed.
  public func join(
    _ id: Identifier = Identifier(),
    stream: Identifier,
    session: Identifier,
    at url: String,
    navigation: Int,
    tags: [String: String],
    awaited: [AwaitedSubmission] = [],
    environment: WindowEnvironment = WindowEnvironment(),
    requester: Requester = Requester()
  ) async throws -> Identifier {
    try self.directory.checkRoom(on: stream, of: session, limits: self.configuration)
    let (product, route) = try self.route(url)
    try await product.show(
      WindowRequest(
        window: id,
        session: session,
        stream: stream,
        joins: true,
        route: route,
        navigation: navigation,
        tags: self.usable(tags, on: stream),
        environment: environment
      ),
      requester
    )
    self.note(.joins, by: session, in: id, of: product, at: url, environment)
    await self.tellEnds(of: awaited, session, to: (id, stream))
    return id
  }

  /// Navigates a window to another URL and sends it whatever it is missing.
  ///
  /// - Parameters:
  ///   - window: One of the session's windows.
  ///   - session: The session that the window belongs to.
  ///   - url: Path and query of the page to show.
  ///   - navigation: The number that the window gave this navigation. The newest wins.
  ///   - tags: The tags of the regions that the window shows, by region; `nil` means what it was
  ///     last sent.
  ///   - awaited: The submissions whose ends the window was not told. It is told those that have
  ///     succeeded, now or later.
  ///   - environment: The window's environment.
  ///   - requester: The client for which the page is rendered.
  /// - Throws: ``WindowError``; nothing has changed.
  public func navigate(
    _ window: Identifier,
    session: Identifier,
    to url: String,
    navigation: Int,
    tags: [String: String]?,
    awaited: [AwaitedSubmission] = [],
    environment: WindowEnvironment = WindowEnvironment(),
    requester: Requester = Requester()
  ) async throws {
    let known = try self.directory.window(window, of: session)
    guard navigation >= known.navigation else { return }
    let (product, route) = try self.route(url)
    try await product.show(
      WindowRequest(
        window: window,
        session: session,
        stream: known.stream,
        joins: false,
        route: route,
        navigation: navigation,
        tags: tags.map { self.usable($0, on: known.stream) },
        environment: environment
      ),
      requester
    )
    self.note(.navigates, by: session, in: window, of: product, at: url, environment)
    await self.tellEnds(of: awaited, session, to: (window, known.stream))
  }

  /// The tags that may belong to regions. A page has a dozen regions, but a client can send any number
  /// of anything, and that would wait with the client for its turn.
  private func usable(_ tags: [String: String], on stream: Identifier) -> [String: String] {
    guard self.directory.release(of: stream).knowsTags, tags.count <= Self.tagLimit else {
      return [:]
    }
    return tags.filter { $0.key.utf8.count <= Self.tagLimit && Tag(text: $0.value) != nil }
  }

  /// The maximum number of tags that a window may report, and of bytes in the name of a region.
  private static var tagLimit: Int { 256 }

  private func tellEnds(
    of submissions: [AwaitedSubmission],
    _ session: Identifier,
    to window: Post.Window
  ) async {
    for submission in submissions.prefix(Self.awaitedLimit) {
      guard let (product, route) = try? self.route(submission.url) else { continue }
      let key = SubmissionKey(path: route.page.text, token: submission.token)
      await product.tellEnd(of: key, session, to: window)
    }
  }

  /// How many submissions a window may ask for at once. Others are ignored.
  private static var awaitedLimit: Int { 20 }

  /// Shows a window again that missed an event.
  ///
  /// - Parameter tags: The tags of the regions that the window shows, by region.
  public func showAgain(_ window: Identifier, tags: [String: String]) async {
    await self.directory[window]?.product.showAgain(window, tags: tags)
  }

  /// Forgets a window whose tab was closed or has left the site.
  ///
  /// - Throws: ``WindowError`` if the session has no such window.
  public func leave(_ window: Identifier, session: Identifier) async throws {
    let known = try self.directory.removeWindow(window, of: session)
    await known.product.forget(window, since: nil)
    self.outbox.send([.leave(stream: known.stream, window: window)])
  }

  func route(_ url: String) throws -> (product: any AnyProduct, Route) {
    let parts = url.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    return try self.route(String(parts.first ?? ""), Query(parts.dropFirst().first ?? ""))
  }
}
