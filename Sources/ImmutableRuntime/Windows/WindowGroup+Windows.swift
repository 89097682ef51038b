public import ImmutableUI

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
    try self.directory.addStream(id, of: session, at: address, limits: self.configuration)
    let version = self.version
    return (EventWriter.open(stream: id, boot: self.boot, version: version), version)
  }

  /// Forgets a stream that ended, with its windows.
  public func closeStream(_ id: Identifier) async {
    for window in self.directory.removeStream(id) {
      await window.product.forget(window.id, since: nil)
    }
  }

  /// The newest version of any store.
  private var version: UInt64 {
    self.allProducts.map(\.version).max() ?? 0
  }

  /// Ends all streams with a last event that has their clients come back.
  ///
  /// - Parameter retry: After how long, in milliseconds.
  public func closeStreams(retry: Int) {
    self.outbox.send([.goodbye(EventWriter.goodbye(version: self.version, retry: retry))])
  }

  public var streamCount: Int { self.directory.streamCount }
  public var windowCount: Int { self.directory.windowCount }
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
  ) async throws -> Identifier {
    try self.directory.checkRoom(on: stream, of: session, limits: self.configuration)
    let (product, route) = try self.route(url)
    let id = Identifier()
    try await product.show(
      WindowRequest(
        window: id,
        session: session,
        stream: stream,
        joins: true,
        route: route,
        navigation: navigation,
        tags: tags,
        environment: environment
      )
    )
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
        tags: tags,
        environment: environment
      )
    )
  }

  /// Shows a window anew that was not sent what it should have been.
  ///
  /// - Parameter tags: By region, the tags of what it shows.
  public func showAgain(_ window: Identifier, tags: [String: String]) async {
    await self.directory[window]?.product.showAgain(window, tags: tags)
  }

  /// Forgets a window whose tab has closed or gone elsewhere.
  ///
  /// - Throws: ``WindowError`` when it is not the session's.
  public func leave(_ window: Identifier, session: Identifier) async throws {
    let known = try self.directory.removeWindow(window, of: session)
    await known.product.forget(window, since: nil)
    self.outbox.send([.leave(stream: known.stream, window: window)])
  }

  private func route(_ url: String) throws -> (product: any AnyProduct, Route) {
    let parts = url.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    return try self.route(String(parts.first ?? ""), Query(parts.dropFirst().first ?? ""))
  }
}
