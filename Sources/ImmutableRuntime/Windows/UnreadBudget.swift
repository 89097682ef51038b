import ImmutableUI
import Synchronization

/// The total size of what clients have not read yet: the renders of pages that are being sent, which
/// stay in memory however slowly their clients read, and the events that streams have not accepted.
/// Each of the two may take half of the limit, so that slow readers of pages disconnect no window,
/// and one client may cause half of that.
public final class UnreadBudget: Sendable {
  fileprivate struct Render {
    let bytes: Int
    /// The client that was the first to ask for it.
    let client: String
    /// The number of pages with it that are being sent.
    var pages = 0
  }

  fileprivate struct Contents {
    /// The bytes of events, by the client for which they are counted.
    var events = Tally<String>()
    /// The bytes of pages, by the client that has caused them.
    var pages = Tally<String>()
    /// The renders of pages that are being sent, each counted once. Bounded by the limit.
    var renders: [ObjectIdentifier: Render] = [:]
  }

  /// The maximum in bytes.
  private let limit: Int
  private let contents = Mutex(Contents())

  init(limit: Int) {
    self.limit = limit
  }

  public var bytes: Int { self.contents.withLock { $0.events.sum + $0.pages.sum } }

  /// Whether a client may cause so many more bytes of pages, or of events.
  private func hasRoom(for bytes: Int, of client: String, in tally: Tally<String>) -> Bool {
    tally.sum + bytes <= self.limit / 2 && tally[client] + bytes <= self.limit / 4
  }

  // Events.

  /// Counts bytes of an event for a client, until ``moveEvent(_:from:to:)``.
  ///
  /// - Parameter client: The network of the client whose stream is the first not to accept it.
  /// - Returns: Whether there is room. If not, nothing is counted, and the stream is closed.
  public func addEvent(_ bytes: Int, for client: String) -> Bool {
    self.contents.withLock { contents in
      guard self.hasRoom(for: bytes, of: client, in: contents.events) else { return false }
      contents.events.add(bytes, for: client)
      return true
    }
  }

  /// Counts bytes of an event for another client, whatever its share, because it has yet to read
  /// them.
  ///
  /// - Parameter next: `nil` if all have read them; they are no longer counted then.
  public func moveEvent(_ bytes: Int, from client: String, to next: String?) {
    self.contents.withLock { contents in
      contents.events.add(-bytes, for: client)
      if let next { contents.events.add(bytes, for: next) }
    }
  }

  // Pages.

  /// Counts the renders of a page for as long as the returned object lives.
  ///
  /// - Parameter client: The network of the client. One client may cause a quarter of the limit.
  /// - Returns: `nil` if there is no room; then nothing is counted, and the page is refused.
  /// - Complexity: O(n), n renders.
  func hold(_ renders: [Rendered], for client: String) -> HeldPage? {
    // A page may show a component twice.
    let renders = Dictionary(renders.map { (ObjectIdentifier($0), $0) }) { first, _ in first }
    let isHeld = self.contents.withLock { contents in
      let new = renders.reduce(0) { bytes, render in
        contents.renders[render.key] == nil ? bytes + render.value.heapSize : bytes
      }
      guard new == 0 || self.hasRoom(for: new, of: client, in: contents.pages) else {
        return false
      }
      for (id, rendered) in renders {
        var render = contents.renders[id] ?? contents.add(rendered, for: client)
        render.pages += 1
        contents.renders[id] = render
      }
      return true
    }
    return isHeld ? HeldPage(Array(renders.values), self) : nil
  }

  fileprivate func release(_ renders: [Rendered]) {
    self.contents.withLock { contents in
      for id in renders.map(ObjectIdentifier.init) { contents.release(id) }
    }
  }
}

extension UnreadBudget.Contents {
  fileprivate mutating func add(_ rendered: Rendered, for client: String) -> UnreadBudget.Render {
    self.pages.add(rendered.heapSize, for: client)
    return UnreadBudget.Render(bytes: rendered.heapSize, client: client)
  }

  fileprivate mutating func release(_ id: ObjectIdentifier) {
    guard var render = self.renders[id] else { return }
    render.pages -= 1
    self.renders[id] = render.pages > 0 ? render : nil
    guard render.pages == 0 else { return }
    self.pages.add(-render.bytes, for: render.client)
  }
}

/// The renders of a page that is being sent.
final class HeldPage: Sendable {
  /// Kept, so that no other render can get the identity of one of them.
  private let renders: [Rendered]
  private let budget: UnreadBudget

  fileprivate init(_ renders: [Rendered], _ budget: UnreadBudget) {
    self.renders = renders
    self.budget = budget
  }

  deinit { self.budget.release(self.renders) }
}
