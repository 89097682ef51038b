import ImmutableData
import Synchronization

/// How the rows that a selector depends on have changed.
enum RowChange<Row>: Sendable
where Row: Identifiable & Hashable & Sendable, Row.ID: Sendable {
  /// The differences, oldest first; empty if nothing has changed.
  case differences([Table<Row>.Difference])
  /// All rows, to be derived from scratch.
  case anew([Row])
}

/// The rows of a table that one selector depends on.
protocol RowSource<State, Action, Row>: Sendable {
  associatedtype State: Sendable
  associatedtype Action: Sendable
  associatedtype Row: Identifiable & Hashable & Sendable where Row.ID: Sendable

  /// - Complexity: O(r), r rows that are returned.
  func rows(in scope: RenderScope<State, Action>) -> [Row]

  /// - Parameter version: The version of the previous call of this function or ``rows(in:)``.
  func change(since version: UInt64, in scope: RenderScope<State, Action>) -> RowChange<Row>

  /// The groups that contain all of these rows; `nil` if they are unknown.
  var watched: WatchedRows? { get }
}

/// All rows of the table.
final class AllRows<State: Sendable, Action: Sendable, Row>: RowSource
where Row: Identifiable & Hashable & Sendable, Row.ID: Sendable {
  typealias Path = any KeyPath<State, Table<Row>> & Sendable

  private let path: Path
  /// The table at the previous call.
  private let table = Mutex(Table<Row>())

  init(of path: Path) {
    self.path = path
  }

  var watched: WatchedRows? { nil }

  func rows(in scope: RenderScope<State, Action>) -> [Row] {
    let table = scope.snapshot.state[keyPath: self.path]
    self.table.withLock { $0 = table }
    return table.allRows
  }

  func change(since version: UInt64, in scope: RenderScope<State, Action>) -> RowChange<Row> {
    let old = self.table.withLock { $0 }
    let difference = scope.difference(of: self.path, from: old, since: version)
    guard difference.isEmpty == false else { return .differences([]) }
    let table = scope.snapshot.state[keyPath: self.path]
    self.table.withLock { $0 = table }
    // A changed row is in both lists of the difference. Changing a sixth of 50,000 sorted rows costs
    // as much as sorting all rows, and less if they are fewer (docs/INCREMENTAL.md, Costs).
    return difference.count / 2 > table.count / 6 + 16
      ? .anew(table.allRows) : .differences([difference])
  }
}

/// The rows of some groups of an index.
final class GroupedRows<State: Sendable, Action: Sendable, Row, Key>: RowSource
where Row: Identifiable & Hashable & Sendable, Row.ID: Sendable, Key: Hashable & Sendable {
  private typealias Memo = IndexMemo<State, Action, Row, Key>

  private let groups: RowGroups<Row, Key>
  private let path: any KeyPath<State, Table<Row>> & Sendable
  /// Retained, so that the index lives as long as a selector uses it.
  private let memo = Mutex<Memo?>(nil)

  init(_ groups: RowGroups<Row, Key>, of path: any KeyPath<State, Table<Row>> & Sendable) {
    self.groups = groups
    self.path = path
  }

  var watched: WatchedRows? {
    self.memo.withLock { $0 }.map { memo in
      WatchedRows(tracker: memo, keys: self.groups.keys.map { GroupKey(value: $0) })
    }
  }

  func rows(in scope: RenderScope<State, Action>) -> [Row] {
    let keys = self.groups.keys
    return self.memo(in: scope).read(in: scope) { $0.rows(in: keys) }
  }

  func change(since version: UInt64, in scope: RenderScope<State, Action>) -> RowChange<Row> {
    let keys = self.groups.keys
    return self.memo(in: scope).read(in: scope) { $0.change(of: keys, since: version) }
  }

  private func memo(in scope: RenderScope<State, Action>) -> Memo {
    self.memo.withLock { memo in
      if let memo { return memo }
      let shared = Memo.shared(self.groups.index, of: self.path, in: scope.memos)
      memo = shared
      return shared
    }
  }
}

/// The row with an id, if it exists.
final class RowWithID<State: Sendable, Action: Sendable, Row>: RowSource
where Row: Identifiable & Hashable & Sendable, Row.ID: Sendable {
  private typealias Tracker = IndexMemo<State, Action, Row, Row.ID>

  private let id: Row.ID?
  private let path: any KeyPath<State, Table<Row>> & Sendable
  private let tracker = Mutex<Tracker?>(nil)
  /// The row as it was last read.
  private let last = Mutex<[Row]>([])

  init(_ id: Row.ID?, of path: any KeyPath<State, Table<Row>> & Sendable) {
    self.id = id
    self.path = path
  }

  var watched: WatchedRows? {
    self.tracker.withLock { $0 }.map { tracker in
      WatchedRows(tracker: tracker, keys: self.id.map { [GroupKey(value: $0)] } ?? [])
    }
  }

  func rows(in scope: RenderScope<State, Action>) -> [Row] {
    let tracker = self.tracker.withLock { tracker in
      let shared = tracker ?? Tracker.byID(of: self.path, in: scope.memos)
      tracker = shared
      return shared
    }
    // Or it would not notice a change that makes the table what it was when it was read before.
    tracker.read(in: scope) { _ in }
    let rows = self.id.flatMap { scope.snapshot.state[keyPath: self.path][$0] }.map { [$0] } ?? []
    self.last.withLock { $0 = rows }
    return rows
  }

  func change(since version: UInt64, in scope: RenderScope<State, Action>) -> RowChange<Row> {
    let old = self.last.withLock { $0 }
    let rows = self.rows(in: scope)
    return rows == old ? .differences([]) : .anew(rows)
  }
}
