import ImmutableUI
import Synchronization

/// Keeps the streams and windows with their sessions, and which product each window shows. The
/// product knows at which place the window is.
final class WindowDirectory: Sendable {
  /// Whether the styles and scripts of a client are of this release.
  enum Release {
    case this
    /// They know this protocol, but are not those of this release. It reloads its page when nothing
    /// is lost by that.
    case outdated
    /// It has to reload its page.
    case other
    /// It does not say, like a program that only reads.
    case unknown

    /// Whether it applies patches of this release, so that the tags of its windows can be relied on.
    var knowsTags: Bool { self == .this || self == .outdated }
  }

  fileprivate struct Stream {
    let session: Identifier
    /// The client's network, for the limits per network; `nil` if they do not apply.
    let network: String?
    let release: Release
    var windows: Set<Identifier> = []
  }

  struct Window {
    let session: Identifier
    let stream: Identifier
    var navigation: Int
    var product: any AnyProduct
    /// The number of times that it has moved to another place.
    var moves = 0
  }

  /// Bounded by the limits on streams and windows (``WindowGroup/Configuration``).
  fileprivate struct Contents {
    var streams: [Identifier: Stream] = [:]
    var windows: [Identifier: Window] = [:]
    var streamsBySession: [Identifier: Set<Identifier>] = [:]
    var streamsByNetwork = Tally<String>()
    var windowsBySession = Tally<Identifier>()
    var windowsByNetwork = Tally<String>()
  }

  private let contents = Mutex(Contents())

  var streamCount: Int { self.contents.withLock { $0.streams.count } }
  var windowCount: Int { self.contents.withLock { $0.windows.count } }

  /// - Throws: ``WindowError`` if there are too many; nothing has changed.
  func addStream(
    _ id: Identifier,
    of session: Identifier,
    at network: String?,
    release: Release,
    limits: WindowGroup.Configuration
  ) throws {
    try self.contents.withLock { contents in
      guard contents.streams.count < limits.streams else {
        throw WindowError(
          code: .tooManyStreams,
          message: "The server has too many open windows. Try again in a moment."
        )
      }
      guard contents.streamsBySession[session]?.count ?? 0 < limits.streamsPerSession,
        network.map({ contents.streamsByNetwork[$0] < limits.streamsPerNetwork }) != false
      else {
        throw WindowError(
          code: .tooManyStreams,
          message: "This browser or network has too many windows open here. Close some of them."
        )
      }
      contents.streams[id] = Stream(session: session, network: network, release: release)
      contents.streamsBySession[session, default: []].insert(id)
      if let network { contents.streamsByNetwork.add(1, for: network) }
    }
  }

  /// - Returns: The windows that were removed with it.
  func removeStream(_ id: Identifier) -> [(id: Identifier, product: any AnyProduct)] {
    self.contents.withLock { contents in
      guard let stream = contents.streams[id] else { return [] }
      let windows = stream.windows.compactMap { id in
        contents.removeWindow(id).map { (id: id, product: $0.product) }
      }
      contents.streams[id] = nil
      contents.streamsBySession[stream.session]?.remove(id)
      if contents.streamsBySession[stream.session]?.isEmpty == true {
        contents.streamsBySession[stream.session] = nil
      }
      if let network = stream.network { contents.streamsByNetwork.add(-1, for: network) }
      return windows
    }
  }

  /// The network of a stream's client; empty if it is unknown.
  func network(of stream: Identifier) -> String {
    self.contents.withLock { $0.streams[stream]?.network ?? "" }
  }

  /// The release of a stream's client.
  func release(of stream: Identifier) -> Release {
    self.contents.withLock { $0.streams[stream]?.release ?? .unknown }
  }

  /// The streams of each session.
  var streamsBySession: [Identifier: Set<Identifier>] {
    self.contents.withLock { $0.streamsBySession }
  }

  /// The windows of a session.
  ///
  /// - Complexity: O(w), w windows of the session.
  func windows(of session: Identifier) -> [(window: Identifier, stream: Identifier)] {
    self.contents.withLock { contents in
      (contents.streamsBySession[session] ?? []).flatMap { id in
        (contents.streams[id]?.windows ?? []).map { (window: $0, stream: id) }
      }
    }
  }

  /// - Throws: ``WindowError`` if a window of the session may not join the stream.
  func checkRoom(
    on stream: Identifier,
    of session: Identifier,
    limits: WindowGroup.Configuration
  ) throws {
    try self.contents.withLock { try $0.checkRoom(on: stream, of: session, limits) }
  }

  /// Assigns a window to a product, unless it has navigated elsewhere since: the newest navigation
  /// wins.
  ///
  /// - Parameter commit: Called with the window's move count if the window is assigned, before
  ///   anything else can happen to the window.
  /// - Throws: ``WindowError`` if there is no such window or stream, or no room; nothing has
  ///   changed.
  func put(
    _ request: WindowRequest,
    in product: any AnyProduct,
    limits: WindowGroup.Configuration,
    commit: (_ moves: Int) -> Void
  ) throws {
    let old: Window? = try self.contents.withLock { contents in
      if request.joins {
        try contents.checkRoom(on: request.stream, of: request.session, limits)
        contents.addWindow(request, product)
        commit(0)
        return nil
      }
      let window = try contents.window(request.window, of: request.session)
      guard request.navigation >= window.navigation else { return nil }
      contents.windows[request.window]?.navigation = request.navigation
      contents.windows[request.window]?.product = product
      contents.windows[request.window]?.moves += 1
      commit(window.moves + 1)
      return window
    }
    guard let old, old.product !== product else { return }
    Task { await old.product.forget(request.window, since: old.moves) }
  }

  /// - Throws: ``WindowError`` if the session has no such window.
  func window(_ id: Identifier, of session: Identifier) throws -> Window {
    try self.contents.withLock { try $0.window(id, of: session) }
  }

  subscript(id: Identifier) -> Window? {
    self.contents.withLock { $0.windows[id] }
  }

  /// - Throws: ``WindowError`` if the session has no such window.
  func removeWindow(_ id: Identifier, of session: Identifier) throws -> Window {
    try self.contents.withLock { contents in
      let window = try contents.window(id, of: session)
      _ = contents.removeWindow(id)
      return window
    }
  }
}

extension WindowDirectory.Contents {
  fileprivate func window(
    _ id: Identifier,
    of session: Identifier
  ) throws -> WindowDirectory.Window {
    guard let window = self.windows[id], window.session == session else {
      throw WindowError(code: .unknownWindow, message: "There is no such window. Join again.")
    }
    return window
  }

  fileprivate func checkRoom(
    on stream: Identifier,
    of session: Identifier,
    _ limits: WindowGroup.Configuration
  ) throws {
    guard let stream = self.streams[stream], stream.session == session else {
      throw WindowError(code: .unknownStream, message: "There is no such stream. Open a new one.")
    }
    guard self.windowsBySession[session] < limits.windowsPerSession else {
      throw WindowError(
        code: .tooManyWindows,
        message: "This browser has too many windows open here. Close some of them."
      )
    }
    let count = stream.network.map { self.windowsByNetwork[$0] } ?? 0
    guard count < limits.windowsPerNetwork else {
      throw WindowError(
        code: .tooManyWindows,
        message: "This network has too many windows open here. Close some of them."
      )
    }
    guard self.windows.count < limits.windows else {
      throw WindowError(
        code: .tooManyWindows,
        message: "The server has too many open windows. Try again in a moment."
      )
    }
  }

  fileprivate mutating func addWindow(_ request: WindowRequest, _ product: any AnyProduct) {
    self.windows[request.window] = WindowDirectory.Window(
      session: request.session,
      stream: request.stream,
      navigation: request.navigation,
      product: product
    )
    self.streams[request.stream]?.windows.insert(request.window)
    self.windowsBySession.add(1, for: request.session)
    if let network = self.streams[request.stream]?.network {
      self.windowsByNetwork.add(1, for: network)
    }
  }

  fileprivate mutating func removeWindow(_ id: Identifier) -> WindowDirectory.Window? {
    guard let window = self.windows.removeValue(forKey: id) else { return nil }
    self.streams[window.stream]?.windows.remove(id)
    self.windowsBySession.add(-1, for: window.session)
    if let network = self.streams[window.stream]?.network {
      self.windowsByNetwork.add(-1, for: network)
    }
    return window
  }
}
