import DequeModule
import ImmutableUI
import Synchronization

/// The client for which something is rendered.
public struct Requester: Sendable {
  let network: String
  let session: Identifier?
  let isPatient: Bool
  let hasGone: @Sendable () async -> Bool

  /// - Parameters:
  ///   - network: The network that the request comes from. Networks take turns.
  ///   - session: Its session, if it already had one. The sessions of a network take turns too.
  ///   - isPatient: Whether it waits for its turn without a time limit.
  ///   - hasGone: Whether the client has disconnected.
  public init(
    network: String = "",
    session: Identifier? = nil,
    isPatient: Bool = false,
    hasGone: @escaping @Sendable () async -> Bool = { false }
  ) {
    self.network = network
    self.session = session
    self.isPatient = isPatient
    self.hasGone = hasGone
  }
}

/// Lets the requests to a product render one after another. Their networks take turns, and so do
/// the sessions of each network.
///
/// A product is an actor, which handles calls in order. So without turns, a client with many
/// requests would hold up everybody, and requests of clients that have disconnected would be
/// rendered first. With turns, frames and posts wait for one render at most, and other visitors
/// wait for one render of each network.
final class Turns: Sendable {
  private enum Outcome: Sendable { case comes, isLate }

  private struct Waiting: Sendable {
    let deadline: ContinuousClock.Instant?
    let continuation: CheckedContinuation<Outcome, Never>

    var isLate: Bool { self.deadline.map { $0 < .now } ?? false }
  }

  private typealias Sessions = RoundRobin<Identifier?, Deque<Waiting>>

  private struct Contents {
    var isTaken = false
    /// One for each waiting request, so bounded by the number of connections, besides those that
    /// have closed since the current render began.
    var waiting = RoundRobin<String, Sessions>()
    var waitingCount = 0
  }

  private let contents = Mutex(Contents())
  private let patience: Duration

  /// - Parameter patience: How long a request waits for its turn.
  init(patience: Duration) {
    self.patience = patience
  }

  /// The number of requests that wait for their turn.
  var waitingCount: Int { self.contents.withLock { $0.waitingCount } }

  /// Waits for a turn, renders, and lets the next one go on.
  ///
  /// - Parameter render: Must not wait for anything else.
  /// - Throws: ``WindowError`` with code `overloaded` if the turn does not come in time, or the
  ///   client disconnects meanwhile; otherwise the errors of `render`.
  func take<Value: Sendable>(
    _ requester: Requester,
    _ render: () async throws -> Value
  ) async throws -> Value {
    if self.takeFree() == false { try await self.wait(requester) }
    defer { self.next() }
    return try await render()
  }

  private func takeFree() -> Bool {
    self.contents.withLock { contents in
      guard contents.isTaken == false else { return false }
      contents.isTaken = true
      return true
    }
  }

  private func wait(_ requester: Requester) async throws {
    let deadline = requester.isPatient ? nil : ContinuousClock.now + self.patience
    let outcome = await withCheckedContinuation { continuation in
      let isFree = self.contents.withLock { contents in
        guard contents.isTaken else {
          contents.isTaken = true
          return true
        }
        let waiting = Waiting(deadline: deadline, continuation: continuation)
        contents.waitingCount += 1
        contents.waiting.add(to: requester.network, orElse: Sessions()) { sessions in
          sessions.add(to: requester.session, orElse: []) { $0.append(waiting) }
        }
        return false
      }
      if isFree { continuation.resume(returning: .comes) }
    }
    guard outcome == .comes else { throw Self.error }
    guard await requester.hasGone() else { return }
    self.next()
    throw Self.error
  }

  private static var error: WindowError {
    WindowError(
      code: .overloaded,
      message: "The server is busy. Try again in a moment."
    )
  }

  /// Gives the turn to the next request that has not waited too long.
  private func next() {
    let (next, late) = self.contents.withLock { contents in
      var late: [Waiting] = []
      while let waiting = contents.waiting.popFirst() {
        contents.waitingCount -= 1
        guard waiting.isLate else { return (Optional(waiting), late) }
        late.append(waiting)
      }
      contents.isTaken = false
      return (nil, late)
    }
    for waiting in late { waiting.continuation.resume(returning: .isLate) }
    next?.continuation.resume(returning: .comes)
  }
}
