import ImmutableData
import Synchronization

/// An index of a table, for snapshots of one store. All selectors that use the index share it.
final class IndexMemo<State, Action, Row, Key>: RowTracker
where
  State: Sendable, Action: Sendable,
  Row: Identifiable & Hashable & Sendable, Row.ID: Sendable, Key: Hashable & Sendable
{
  typealias Path = any KeyPath<State, Table<Row>> & Sendable

  private let index: RowIndex<Row, Key>
  private let path: Path
  private let indexed = Mutex<IndexedTable<Row, Key>?>(nil)

  private init(_ index: RowIndex<Row, Key>, of path: Path) {
    self.index = index
    self.path = path
  }

  /// The memo that all selectors of a product with this index share.
  static func shared(
    _ index: RowIndex<Row, Key>,
    of path: Path,
    in memos: MemoTable
  ) -> IndexMemo {
    memos.memo(MemoKey(tracking: path, by: ObjectIdentifier(index))) { IndexMemo(index, of: path) }
  }

  /// The index of single rows, which all selectors of a product share.
  static func byID(of path: Path, in memos: MemoTable) -> IndexMemo where Key == Row.ID {
    memos.memo(MemoKey(tracking: path, by: ObjectIdentifier(IndexMemo.self))) {
      IndexMemo(RowIndex(by: \.id), of: path)
    }
  }

  /// The index of the scope's snapshot. Snapshots come in order, so it is never newer than that.
  ///
  /// - Complexity: O(d), d rows that differ since the last time.
  func read<Result>(
    in scope: RenderScope<State, Action>,
    _ body: (inout IndexedTable<Row, Key>) -> sending Result
  ) -> sending Result {
    let snapshot = scope.snapshot
    return self.indexed.withLock { stored in
      var indexed =
        stored.take()
        ?? IndexedTable(
          snapshot.state[keyPath: self.path], by: self.index, version: snapshot.version)
      if indexed.version < snapshot.version {
        let difference = scope.difference(
          of: self.path, from: indexed.table, since: indexed.version)
        indexed.version = snapshot.version
        if difference.isEmpty == false {
          indexed.follow(snapshot.state[keyPath: self.path], difference)
        }
      }
      defer { stored = indexed }
      return body(&indexed)
    }
  }

  func changes(since version: UInt64, in scope: any AnyRenderScope) -> Set<GroupKey>? {
    self.read(in: scope.of(State.self, Action.self)) { indexed in
      indexed.changes(since: version).map { Set($0.map { GroupKey(value: $0) }) }
    }
  }
}
