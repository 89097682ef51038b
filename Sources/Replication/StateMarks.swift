import Synchronization

/// The digests of a replica's newest states, which are compared with the digests of other servers.
///
/// They are computed off the main actor, each from the previous digest: after every
/// ``ReplicaConfiguration/markInterval`` entries, and after the others if
/// ``ReplicaConfiguration/markPause`` has passed. So while there are few entries, each is compared, and
/// many cost no more. If entries arrive faster than digests are computed, some digests are skipped.
final class StateMarks<State: Sendable>: Sendable {
  /// A mark of another server that differs from this server's mark.
  struct Difference: Sendable {
    let mark: StateMark
    /// The server that sent it.
    let node: String
  }

  private enum Event: Sendable {
    case state(State, sequence: UInt64)
    case mark(StateMark, node: String)
  }

  private struct Contents {
    /// Oldest first. Bounded by twice ``limit``.
    var marks: [StateMark] = []
    /// The state of the newest mark.
    var state: State?
    /// From then on, the next state gets a mark.
    var due = ContinuousClock.now
  }

  /// The minimum number of remembered marks, so that they can be compared with late marks of other
  /// servers.
  private static var limit: Int { 256 }
  /// The maximum number of waiting states and marks.
  private static var waitingLimit: Int { 64 }

  private let coding: SnapshotCoding<State>
  private let interval: UInt64
  private let pause: Duration
  private let contents = Mutex(Contents())
  private let events: AsyncStream<Event>
  private let writer: AsyncStream<Event>.Continuation

  init(_ coding: SnapshotCoding<State>, interval: UInt64, pause: Duration = .zero) {
    self.coding = coding
    self.interval = interval
    self.pause = pause
    (self.events, self.writer) = AsyncStream.makeStream(
      bufferingPolicy: .bufferingNewest(Self.waitingLimit))
  }

  /// The mark to send next: one that all servers have, or that of the present state, which those with
  /// time for it have too.
  ///
  /// - Parameters:
  ///   - sent: The sequence of the mark that was sent last.
  ///   - folded: The sequence of the present state.
  /// - Complexity: O(n), n marks since then.
  func next(after sent: UInt64, at folded: UInt64) -> StateMark? {
    self.contents.withLock { contents in
      let unsent = contents.marks.reversed().prefix { $0.sequence > sent }
      return unsent.first { $0.sequence % self.interval == 0 }
        ?? unsent.first { $0.sequence == folded }
    }
  }

  /// The newest marks, oldest first, and the state of the last; `nil` if there is none yet.
  var known: (marks: [StateMark], state: State)? {
    self.contents.withLock { contents in contents.state.map { (contents.marks, $0) } }
  }

  /// - Complexity: O(1).
  func didFold(_ sequence: UInt64, _ state: @autoclosure () -> State) {
    guard sequence % self.interval == 0 || self.isDue() else { return }
    self.writer.yield(.state(state(), sequence: sequence))
  }

  private func isDue() -> Bool {
    self.contents.withLock { contents in
      let now = ContinuousClock.now
      guard now >= contents.due else { return false }
      contents.due = now + self.pause
      return true
    }
  }

  /// Compares a mark of another server, once this server's own mark is known.
  ///
  /// - Complexity: O(1).
  func compare(_ mark: StateMark, of node: String) {
    self.writer.yield(.mark(mark, node: node))
  }

  /// Computes and compares digests until the task is cancelled.
  ///
  /// - Parameter onDifference: Called for each mark of another server that differs.
  @concurrent func run(onDifference: @Sendable (Difference) async -> Void) async {
    for await event in self.events {
      switch event {
      case .state(let state, let sequence): self.follow(state, sequence)
      case .mark(let mark, let node):
        let own = self.known?.marks.last { $0.sequence == mark.sequence }
        guard let own, own.digest != mark.digest else { continue }
        await onDifference(Difference(mark: mark, node: node))
      }
    }
  }

  /// Adds the mark of a state.
  ///
  /// - Complexity: The same as ``SnapshotCoding/digestAfter``.
  func follow(_ state: State, _ sequence: UInt64) {
    let digest =
      if let (marks, old) = self.known, let mark = marks.last {
        self.coding.digestAfter(mark.digest, old, state)
      } else {
        self.coding.digest(state)
      }
    self.contents.withLock { contents in
      contents.marks.append(StateMark(sequence: sequence, digest: digest))
      contents.state = state
      if contents.marks.count >= 2 * Self.limit { contents.marks.removeFirst(Self.limit) }
    }
  }
}
