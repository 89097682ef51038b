import Synchronization

/// The memos of all selectors that are in use.
///
/// It holds them weakly: those who read them (regions) keep them, and ``sweep()`` forgets the rest.
final class MemoTable: Sendable {
  private struct Key: Hashable {
    let store: ObjectIdentifier
    let memo: ObjectIdentifier
    let key: MemoKey
  }

  private struct Entry: Sendable {
    weak var memo: (any AnyStoreMemo)?
  }

  private let entries = Mutex<[Key: Entry]>([:])

  var count: Int {
    self.entries.withLock { $0.count }
  }

  /// The memo that is known by these, or a new one.
  func memo<Memo: AnyStoreMemo>(
    _ store: ObjectIdentifier,
    _ key: MemoKey,
    _ make: () -> Memo
  ) -> Memo {
    let key = Key(store: store, memo: ObjectIdentifier(Memo.self), key: key)
    return self.entries.withLock { entries in
      if let memo = entries[key]?.memo as? Memo { return memo }
      let memo = make()
      entries[key] = Entry(memo: memo)
      return memo
    }
  }

  /// Forgets memos that nobody reads any more.
  func sweep() {
    self.entries.withLock { entries in
      entries = entries.filter { $0.value.memo != nil }
    }
  }
}
