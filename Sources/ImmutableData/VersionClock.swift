import Synchronization

/// Counts the actions of stores whose versions can be compared.
final class VersionClock: Sendable {
  private let version = Mutex<UInt64>(0)

  /// The version of the newest action.
  var newest: UInt64 { self.version.withLock { $0 } }

  func next() -> UInt64 {
    self.version.withLock { version in
      version += 1
      return version
    }
  }
}
