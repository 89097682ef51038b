import Synchronization

/// Counts the actions of stores whose versions can be compared.
final class VersionClock: Sendable {
  private let version: Mutex<UInt64>

  init(_ version: UInt64 = 0) {
    self.version = Mutex(version)
  }

  /// The version of the newest action.
  var newest: UInt64 { self.version.withLock { $0 } }

  func next() -> UInt64 {
    self.version.withLock { version in
      version += 1
      return version
    }
  }
  /// Goes on from a version that is not lower than the newest.
  func advance(to version: UInt64) {
    self.version.withLock { newest in
      precondition(version >= newest, "versions never fall")
      newest = version
    }
  }
}
