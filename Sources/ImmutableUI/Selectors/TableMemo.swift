import ImmutableData
import Synchronization

/// The memo of one selector of a table, for snapshots of one store.
final class TableMemo<State, Action, Derived>: OutputMemo
where State: Sendable, Action: Sendable, Derived: Derivation {
  typealias Path = any KeyPath<State, Table<Derived.Row>> & Sendable

  typealias Source = any RowSource<State, Action, Derived.Row>

  private struct Contents {
    var derived: Derived
    var output: Derived.Output
    var version: UInt64
    var changes: UInt64 = 0
  }

  let label: String
  private let path: Path
  private let source: Source
  private let empty: Derived
  private let contents = Mutex<Contents?>(nil)

  /// - Parameters:
  ///   - label: A name for logs.
  ///   - path: The table in the state.
  ///   - source: The rows of the table that the selector depends on.
  ///   - empty: The derivation of a table without rows.
  init(label: String, path: Path, source: Source, empty: Derived) {
    self.label = label
    self.path = path
    self.source = source
    self.empty = empty
  }

  var output: Derived.Output {
    guard let output = self.contents.withLock({ $0?.output }) else {
      preconditionFailure("the memo has no output yet: call update(in:) first")
    }
    return output
  }

  var heapSize: Int { self.contents.withLock { $0?.derived.heapSize ?? 0 } }

  var watched: WatchedRows? { self.source.watched }

  func isShared(with other: TableMemo, in scope: RenderScope<State, Action>) -> Bool {
    let table = scope.snapshot.state[keyPath: self.path]
    return self.empty.with(table).output == other.empty.with(table).output
  }

  /// - Complexity: O(d), d rows that differ, times the cost of a change of the derivation. The
  ///   first time, and if more than a sixth of the rows differs, it is derived from all rows.
  func update(in scope: any AnyRenderScope) -> UInt64 {
    let scope = scope.of(State.self, Action.self)
    return self.contents.withLock { contents in
      self.update(&contents, in: scope)
      return contents?.changes ?? 0
    }
  }

  private func update(_ contents: inout Contents?, in scope: RenderScope<State, Action>) {
    // Neither the snapshot nor the contents are copied, because that retains all their parts.
    let (newest, counters) = (scope.snapshot.version, scope.counters)
    guard let version = contents?.version else {
      SelectorLog.update(self.label, by: self)
      SelectorLog.run(.output, self.label, by: self)
      counters.outputRuns.add()
      let rows = self.source.rows(in: scope)
      scope.times?.note(FrameTimes.RowCounts(looked: rows.count, changed: rows.count))
      let derived = self.empty.with(rows)
      contents = Contents(derived: derived, output: derived.output, version: newest)
      return
    }
    // Snapshots come in order, so one that is not newer than the memo changes nothing.
    guard version < newest else {
      counters.memoHits.add()
      return
    }
    contents?.version = newest
    let change = self.source.change(since: version, in: scope)
    scope.times?.note(FrameTimes.RowCounts(of: change))
    switch change {
    case .differences(let differences):
      for difference in differences { contents?.derived.follow(difference) }
      if differences.isEmpty {
        counters.memoHits.add()
        return counters.audit { self.finding(contents, in: scope.snapshot.state) }
      }
    case .anew(let rows):
      contents?.derived = self.empty.with(rows)
    }
    SelectorLog.update(self.label, by: self)
    counters.audit { self.finding(contents, in: scope.snapshot.state) }
    guard let output = contents?.derived.output, output != contents?.output else {
      counters.memoHits.add()
      return
    }
    SelectorLog.run(.output, self.label, by: self)
    counters.outputRuns.add()
    contents?.output = output
    contents?.changes += 1
  }

  func isCurrent(in scope: any AnyRenderScope) -> Bool {
    let state = scope.of(State.self, Action.self).snapshot.state
    return self.contents.withLock { self.isCurrent($0, in: state) }
  }

  private func isCurrent(_ contents: Contents?, in state: State) -> Bool {
    guard let contents else { return true }
    return contents.derived.output == self.empty.with(state[keyPath: self.path]).output
  }

  private func finding(_ contents: Contents?, in state: State) -> String? {
    guard self.isCurrent(contents, in: state) == false else { return nil }
    return "\(self.label) has followed changes to another output than it derives "
      + "from all rows: see the law of Derivation"
  }
}

extension FrameTimes.RowCounts {
  /// - Complexity: O(d), d rows that differ.
  fileprivate init<Row>(of change: RowChange<Row>) {
    switch change {
    case .differences(let differences):
      let ids = Set(differences.lazy.flatMap { $0.removed + $0.inserted }.map { $0.id })
      self.init(looked: ids.count, changed: ids.count)
    case .anew(let rows): self.init(looked: rows.count, changed: rows.count)
    }
  }
}
