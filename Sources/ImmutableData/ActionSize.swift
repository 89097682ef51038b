import Synchronization

/// The size of an action in memory, in bytes. It is found out when somebody asks for it, because that
/// takes reflection, and nearly all actions are released before.
final class ActionSize: Sendable {
  private enum Contents: Sendable {
    case unknown(any Sendable)
    case known(Int)
  }

  private let contents: Mutex<Contents>

  init(of action: some Sendable) {
    self.contents = Mutex(.unknown(action))
  }

  init(_ bytes: Int) {
    self.contents = Mutex(.known(bytes))
  }

  /// The first call lets go of the action.
  ///
  /// - Complexity: That of ``HeapEstimate/bytes(of:)`` the first time, then O(1).
  var bytes: Int {
    self.contents.withLock { contents in
      switch contents {
      case .known(let bytes): return bytes
      case .unknown(let action):
        let bytes = HeapEstimate.bytes(of: action)
        contents = .known(bytes)
        return bytes
      }
    }
  }
}
