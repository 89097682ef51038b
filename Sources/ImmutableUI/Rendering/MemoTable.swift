import Synchronization

/// The memos of a product's selectors.
///
/// It holds them weakly: the regions that read a memo retain it, and so bound their number. Entries
/// of released memos are removed when the table has doubled in size.
package final class MemoTable: Sendable {
  private struct Key: Hashable {
    let memo: ObjectIdentifier
    let key: MemoKey
  }

  private struct Entry: Sendable {
    weak var memo: (any AnyObject & Sendable)?
  }

  private struct Contents {
    var entries: [Key: Entry] = [:]
    var limit = 64
  }

  private let contents = Mutex(Contents())

  package init() {}

  package var count: Int {
    self.contents.withLock { $0.entries.count }
  }

  /// The memo for a key, or a new one.
  ///
  /// - Complexity: O(1), amortised.
  func memo<Memo: AnyObject & Sendable>(_ key: MemoKey, _ make: () -> Memo) -> Memo {
    let key = Key(memo: ObjectIdentifier(Memo.self), key: key)
    return self.contents.withLock { contents in
      // The key contains the type, and a dynamic cast to a generic class is slow.
      if let memo = contents.entries[key]?.memo { return unsafeDowncast(memo, to: Memo.self) }
      if contents.entries.count >= contents.limit {
        contents.entries = contents.entries.filter { $0.value.memo != nil }
        contents.limit = 2 * contents.entries.count + 64
      }
      let memo = make()
      contents.entries[key] = Entry(memo: memo)
      return memo
    }
  }
}
