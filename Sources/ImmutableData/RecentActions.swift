import Tracing

/// The newest actions of a store or scope, so that a periodic reader can see every action.
///
/// Readers release the actions that they have seen (``release(through:)``), so an idle store holds
/// none. That matters because payloads can be of any size. If nobody releases actions, or many come
/// at once, the log keeps the newest 256; it is cut to that length when it reaches twice that.
struct RecentActions<State, Action>: Sendable where State: Sendable, Action: Sendable {
  private static var limit: Int { 256 }

  /// Oldest first. Bounded by twice the limit.
  private var entries: [(version: UInt64, action: LoggedAction<State, Action>)] = []
  /// The version of the newest action that was removed.
  private var released: UInt64 = 0

  /// - Parameter version: Higher than all earlier versions.
  mutating func append(_ action: LoggedAction<State, Action>, version: UInt64) {
    self.entries.append((version, action))
    if self.entries.count >= 2 * Self.limit {
      self.release(through: self.entries[self.entries.count - Self.limit - 1].version)
    }
  }

  /// Removes the actions up to a version.
  ///
  /// - Complexity: O(n), n actions.
  mutating func release(through version: UInt64) {
    guard let first = self.entries.first, first.version <= version else { return }
    let count = self.entries.firstIndex { $0.version > version } ?? self.entries.count
    self.released = self.entries[count - 1].version
    if count == self.entries.count {
      self.entries = []
    } else {
      self.entries.removeFirst(count)
    }
  }

  /// Removes all actions, because no action caused the change at this version.
  ///
  /// - Parameter version: Higher than all earlier versions.
  mutating func interrupt(at version: UInt64) {
    self.entries = []
    self.released = version
  }

  /// The actions after a version, oldest first.
  ///
  /// - Returns: `nil` if one of them has been removed.
  /// - Complexity: O(n), n actions after the version.
  func actions(since version: UInt64) -> [LoggedAction<State, Action>]? {
    guard version >= self.released else { return nil }
    let start = self.entries.lastIndex { $0.version <= version }.map { $0 + 1 } ?? 0
    return self.entries[start...].map { $0.action }
  }

  /// The traces of the actions after a version, oldest first.
  ///
  /// - Complexity: O(n), n actions after the version.
  func traces(since version: UInt64) -> [ServiceContext] {
    let start = self.entries.lastIndex { $0.version <= version }.map { $0 + 1 } ?? 0
    // A key path into a generic type is created each time that it is used.
    return self.entries[start...].compactMap { $0.action.trace }
  }
}
