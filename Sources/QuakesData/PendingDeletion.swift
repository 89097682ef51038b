import Synchronization

/// A deletion of all quakes that the local store has yet to write. No other write has been asked for
/// since.
///
/// If it is undone before its turn comes, neither the deletion nor its undo is written. Otherwise,
/// somebody who deletes and restores everything again and again would queue a write of the whole
/// table each time, and a server that ends could not finish them in time.
final class PendingDeletion: Sendable {
  private enum Phase {
    case waiting, begun, undone
  }

  private let phase = Mutex(Phase.waiting)

  /// Its turn has come.
  ///
  /// - Returns: Whether it is to be written.
  func begin() -> Bool {
    self.phase.withLock { phase in
      guard phase != .undone else { return false }
      phase = .begun
      return true
    }
  }

  /// - Returns: Whether it has been undone, since its turn had not come.
  func undo() -> Bool {
    self.phase.withLock { phase in
      guard phase == .waiting else { return false }
      phase = .undone
      return true
    }
  }
}
