import ImmutableData

/// A store, without its types: what a page is rendered from.
struct StoreSource: Sendable {
  /// The store itself.
  let id: ObjectIdentifier
  /// The store that it is a scope of, or itself.
  let root: ObjectIdentifier
  /// The store's type, by which selectors find it.
  let type: ObjectIdentifier
  let name: String
  /// The newest snapshot and its version.
  let snapshot: @Sendable () -> (version: UInt64, snapshot: any Sendable)
  let backlog: @Sendable () -> Int
  /// Says that nobody asks any more for the actions up to a version of the root.
  let release: @Sendable (UInt64) -> Void
  /// The newest version of the root.
  let rootVersion: @Sendable () -> UInt64
  let makeSignal: @MainActor @Sendable () -> AsyncStream<Void>

  init<State, Action>(_ store: Store<State, Action>) {
    self.id = ObjectIdentifier(store)
    self.root = store.root
    self.type = ObjectIdentifier(Store<State, Action>.self)
    self.name = "\(Store<State, Action>.self)"
    self.snapshot = {
      let snapshot = store.snapshot()
      return (snapshot.version, snapshot)
    }
    self.backlog = { store.backlog }
    self.release = { store.releaseActions(through: $0) }
    self.rootVersion = { store.rootVersion }
    self.makeSignal = { store.makeSignal() }
  }
}

extension StoreSource {
  /// Waits until something holds, which only an action can bring about, or until time is up.
  func wait(for limit: Duration, until holds: @escaping @Sendable () -> Bool) async {
    guard holds() == false else { return }
    await withTaskGroup { group in
      group.addTask {
        let signal = await self.makeSignal()
        // It may have come before the signal was made.
        guard holds() == false else { return }
        for await _ in signal where holds() { return }
      }
      group.addTask {
        try? await Task.sleep(for: limit)
      }
      await group.next()
      group.cancelAll()
    }
  }
}

extension StoreSource: Hashable {
  static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.id == rhs.id
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(self.id)
  }
}
