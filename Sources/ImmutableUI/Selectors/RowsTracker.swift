import ImmutableData
import Synchronization

/// Finds the ids of the rows of a table that have changed. All selectors of single rows share it.
///
/// Besides the table, it keeps what ``RowSteps`` keeps.
final class RowsTracker<State, Action, Row>: RowTracker
where
  State: Sendable, Action: Sendable,
  Row: Identifiable & Hashable & Sendable, Row.ID: Sendable
{
  typealias Path = any KeyPath<State, Table<Row>> & Sendable

  private struct Contents {
    var table: Table<Row>
    var version: UInt64
    var steps: RowSteps<Row.ID, Row>
  }

  private let path: Path
  private let contents = Mutex<Contents?>(nil)

  private init(_ path: Path) {
    self.path = path
  }

  /// The tracker that all selectors of single rows of a table share.
  static func shared(of path: Path, in memos: MemoTable) -> RowsTracker {
    memos.memo(MemoKey(tracking: path, by: ObjectIdentifier(RowsTracker.self))) {
      RowsTracker(path)
    }
  }

  func changes(
    since version: UInt64,
    in scope: RenderScope<State, Action>
  ) -> Set<GroupKey>? {
    self.contents.withLock { contents in
      self.update(&contents, to: scope)
      return contents?.steps.keys(since: version).map { Set($0.map { GroupKey(value: $0) }) }
    }
  }

  private func update(_ contents: inout Contents?, to scope: RenderScope<State, Action>) {
    let (version, table) = (scope.snapshot.version, scope.snapshot.state[keyPath: self.path])
    guard var updated = contents.take() else {
      contents = Contents(table: table, version: version, steps: RowSteps(after: version))
      return
    }
    if updated.version < version {
      let difference = scope.difference(of: self.path, from: updated.table, since: updated.version)
      updated.version = version
      updated.table = table
      if difference.isEmpty == false { _ = updated.steps.append(difference, at: version, by: \.id) }
    }
    contents = updated
  }
}
