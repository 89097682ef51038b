import Synchronization

/// How far the state of a replica is behind its log.
public struct ReplicaLag: Hashable, Sendable {
  /// The number of entries that it had not reduced when it last read the log.
  public let entries: UInt64
  /// The time since the state was last known to contain all entries.
  public let duration: Duration
}

/// How far a replica has read its log, and when.
final class ReadingPosition: Sendable {
  private struct Contents {
    var folded: UInt64
    var head: UInt64
    var answered = ContinuousClock.now
    var complete = ContinuousClock.now
  }

  private let contents: Mutex<Contents>

  /// - Parameter sequence: The sequence of the newest entry that the state contains.
  init(_ sequence: UInt64) {
    self.contents = Mutex(Contents(folded: sequence, head: sequence))
  }

  /// The sequence of the newest reduced entry.
  var folded: UInt64 { self.contents.withLock { $0.folded } }

  var lag: ReplicaLag {
    self.contents.withLock { contents in
      ReplicaLag(entries: contents.head - contents.folded, duration: .now - contents.complete)
    }
  }

  /// When the log last answered.
  var answered: ContinuousClock.Instant { self.contents.withLock { $0.answered } }

  /// The log has answered with the sequence of its newest entry.
  func didRead(upTo head: UInt64) {
    self.contents.withLock { contents in
      contents.answered = .now
      contents.head = max(head, contents.folded)
    }
  }

  /// An entry was reduced, refused, or skipped because it has no action.
  func didFold(_ sequence: UInt64) {
    self.contents.withLock { contents in
      contents.folded = sequence
      contents.head = max(sequence, contents.head)
    }
  }

  /// If everything is reduced that the log had at some time, the state is as new as that.
  func didComplete(_ time: ContinuousClock.Instant) {
    self.contents.withLock { contents in
      guard contents.folded >= contents.head else { return }
      contents.complete = max(time, contents.complete)
    }
  }
}
