import ImmutableData
import Synchronization

/// The memo of one selector of a table, for snapshots of one store.
final class TableMemo<State, Action, Derived>: OutputMemo
where State: Sendable, Action: Sendable, Derived: Derivation {
  typealias Path = any KeyPath<State, Table<Derived.Row>> & Sendable

  private struct Contents {
    var table: Table<Derived.Row>
    var derived: Derived
    var output: Derived.Output
    var version: UInt64
    var changes: UInt64 = 0
  }

  let label: String?
  private let path: Path
  private let empty: Derived
  private let contents = Mutex<Contents?>(nil)

  /// - Parameters:
  ///   - label: A name for logs.
  ///   - path: Which table of the state.
  ///   - empty: What is derived of a table without rows.
  init(label: String?, path: Path, empty: Derived) {
    self.label = label
    self.path = path
    self.empty = empty
  }

  var output: Derived.Output {
    guard let output = self.contents.withLock({ $0?.output }) else {
      preconditionFailure("the memo has no output yet: call update(in:) first")
    }
    return output
  }

  var heapSize: Int { self.contents.withLock { $0?.derived.heapSize ?? 0 } }

  func isShared(with other: TableMemo, in state: State) -> Bool {
    let table = state[keyPath: self.path]
    return self.empty.with(table).output == other.empty.with(table).output
  }

  /// - Complexity: O(d), d rows that differ, times that of a change of what is derived. The first time,
  ///   and if more than a sixteenth differs, it is derived from all rows.
  func update(in scope: RenderScope<State, Action>) -> UInt64 {
    self.contents.withLock { contents in
      self.update(&contents, in: scope)
      return contents?.changes ?? 0
    }
  }

  private func update(_ contents: inout Contents?, in scope: RenderScope<State, Action>) {
    let (snapshot, counters) = (scope.snapshot, scope.counters)
    guard let old = contents else {
      SelectorLog.update(self.label, by: self)
      SelectorLog.run(.output, self.label, by: self)
      counters.outputRuns.add()
      let table = snapshot.state[keyPath: self.path]
      let derived = self.empty.with(table)
      contents = Contents(
        table: table,
        derived: derived,
        output: derived.output,
        version: snapshot.version
      )
      return
    }
    // Snapshots come in order, so one that is not newer than the memo changes nothing.
    guard old.version < snapshot.version else {
      counters.memoHits.add()
      return
    }
    let table = snapshot.state[keyPath: self.path]
    let difference = scope.difference(of: self.path, from: old.table, since: old.version)
    contents?.version = snapshot.version
    guard difference.isEmpty == false else {
      counters.memoHits.add()
      return
    }
    SelectorLog.update(self.label, by: self)
    contents?.table = table
    if difference.count > table.count / 16 + 16 {
      contents?.derived = self.empty.with(table)
    } else {
      contents?.derived.follow(difference)
    }
    counters.audit { self.finding(contents, table) }
    guard let output = contents?.derived.output, output != old.output else {
      counters.memoHits.add()
      return
    }
    SelectorLog.run(.output, self.label, by: self)
    counters.outputRuns.add()
    contents?.output = output
    contents?.changes += 1
  }

  private func finding(_ contents: Contents?, _ table: Table<Derived.Row>) -> String? {
    guard let contents,
      contents.derived.output != self.empty.with(table).output
    else { return nil }
    return "\(self.label ?? "a selector") has followed changes to another output than it derives "
      + "from all rows: see the law of Derivation"
  }
}
