/// The newest actions of a store, so that whoever looks now and then sees each of them.
///
/// What a store's readers have seen they let go of (``release(through:)``), so an idle store holds no
/// actions: a log of a fixed length would hold payloads of any size. Where nobody does, or many come at
/// once, it keeps the newest 256.
struct ActionLog<State, Action>: Sendable where State: Sendable, Action: Sendable {
  private struct Entry: Sendable {
    let version: UInt64
    let action: LoggedAction<State, Action>
    /// The scopes that it is an action of.
    var scopes: [Int]
  }

  /// It is cut to this length once it is twice as long.
  private static var limit: Int { 256 }

  /// Oldest first.
  private var entries: [Entry] = []
  /// The version of the newest action that has gone.
  private(set) var released: UInt64 = 0

  /// Puts an action in.
  ///
  /// - Returns: By scope, the versions of the actions that had to go for it, oldest first.
  mutating func append(
    _ action: LoggedAction<State, Action>,
    version: UInt64,
    of scopes: [Int]
  ) -> [(scope: Int, version: UInt64)] {
    self.entries.append(Entry(version: version, action: action, scopes: scopes))
    guard self.entries.count >= 2 * Self.limit else { return [] }
    return self.release(through: self.entries[self.entries.count - Self.limit - 1].version)
  }

  /// Says of the actions that there are which are those of a new scope.
  mutating func addScope(_ id: Int, _ isOwn: (Action) -> Bool) {
    for index in self.entries.indices where isOwn(self.entries[index].action.action) {
      self.entries[index].scopes.append(id)
    }
  }

  /// Lets go of the actions up to a version.
  ///
  /// - Returns: By scope, the versions of its actions that have gone, oldest first.
  /// - Complexity: O(n), n actions.
  mutating func release(through version: UInt64) -> [(scope: Int, version: UInt64)] {
    guard let first = self.entries.first, first.version <= version else { return [] }
    let count = self.entries.firstIndex { $0.version > version } ?? self.entries.count
    let gone = self.entries.prefix(count)
    self.released = gone.last?.version ?? self.released
    let versions = gone.flatMap { entry in entry.scopes.map { (scope: $0, version: entry.version) }
    }
    if count == self.entries.count {
      self.entries = []
    } else {
      self.entries.removeFirst(count)
    }
    return versions
  }

  /// The actions after a version, oldest first. Whether some have gone before them is for the caller to know.
  ///
  /// - Complexity: O(n), n actions after the version.
  func actions(since version: UInt64) -> some Sequence<LoggedAction<State, Action>> {
    let start = self.entries.lastIndex { $0.version <= version }.map { $0 + 1 } ?? 0
    return self.entries[start...].lazy.map(\.action)
  }
}
