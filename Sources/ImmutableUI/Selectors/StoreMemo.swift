import ImmutableData
import Synchronization

/// A memo that a frame can update without knowing its output type.
package protocol SelectorMemo: AnyObject, Sendable {
  /// A name for people.
  var label: String { get }

  /// Updates the memo to the scope's snapshot: filter, then dependencies, then output.
  ///
  /// - Parameter scope: Its counters count the steps that run. When they audit, an output that was
  ///   kept is derived again and compared.
  /// - Returns: How often the output has changed so far. It never decreases.
  func update(in scope: any AnyRenderScope) -> UInt64

  /// The size in memory, in bytes, of the data that it keeps in addition to what regions show.
  var heapSize: Int { get }

  /// The groups of rows that the output depends on. `nil` before the first update, and if every
  /// frame must update the memo to find out whether the output has changed.
  var watched: WatchedRows? { get }

  /// For audits: whether the output equals what the selector would derive from the snapshot.
  func isCurrent(in scope: any AnyRenderScope) -> Bool
}

extension SelectorMemo {
  package var heapSize: Int { 0 }
  package var watched: WatchedRows? { nil }
}

/// The memo of one selector for snapshots of one store.
final class StoreMemo<State, Action, each Dependency, Output>: OutputMemo
where State: Sendable, Action: Sendable, repeat each Dependency: Sendable, Output: Sendable {
  private struct Contents {
    var memo: Memo<State, repeat each Dependency, Output>
    var version: UInt64?
    var changes: UInt64 = 0
  }

  let label: String
  private let filter: (@Sendable (State, Action) -> Bool)?
  private let contents: Mutex<Contents>

  init(
    label: String,
    filter: (@Sendable (State, Action) -> Bool)?,
    memo: Memo<State, repeat each Dependency, Output>
  ) {
    self.label = label
    self.filter = filter
    self.contents = Mutex(Contents(memo: memo))
  }

  var output: Output {
    guard let output = self.contents.withLock({ $0.memo.output }) else {
      preconditionFailure("the memo has no output yet: call update(in:) first")
    }
    return output
  }

  func isShared(with other: StoreMemo, in scope: RenderScope<State, Action>) -> Bool {
    let state = scope.snapshot.state
    let own = self.contents.withLock { $0.memo.outputSelector.select(state) }
    let selector = other.contents.withLock { $0.memo.outputSelector }
    return selector.didChange(own, selector.select(state)) == false
  }

  func isCurrent(in scope: any AnyRenderScope) -> Bool {
    let state = scope.of(State.self, Action.self).snapshot.state
    return self.contents.withLock { $0.memo.isStale(state) == false }
  }

  func update(in scope: any AnyRenderScope) -> UInt64 {
    let scope = scope.of(State.self, Action.self)
    return self.contents.withLock { contents in
      self.update(&contents, in: scope)
      return contents.changes
    }
  }

  private func update(_ contents: inout Contents, in scope: RenderScope<State, Action>) {
    // The snapshot is not copied, because that retains all parts of the state.
    let (newest, counters) = (scope.snapshot.version, scope.counters)
    // Snapshots come in order, so one that is not newer than the memo changes nothing.
    if let version = contents.version, version >= newest {
      counters.memoHits.add()
      return
    }
    let isIncluded = self.isIncluded(scope, since: contents.version)
    contents.version = newest
    guard isIncluded else {
      counters.filterRefusals.add()
      counters.audit { self.finding(contents.memo, scope.snapshot.state) }
      return
    }
    SelectorLog.update(self.label, by: self)
    var didRunOutput = false
    let didChange = contents.memo.update(scope.snapshot.state) { step in
      SelectorLog.run(step, self.label, by: self)
      switch step {
      case .dependency: counters.dependencyRuns.add()
      case .output:
        counters.outputRuns.add()
        didRunOutput = true
      }
    }
    if didChange {
      contents.changes += 1
    } else if didRunOutput == false {
      counters.memoHits.add()
      counters.audit { self.finding(contents.memo, scope.snapshot.state) }
    }
  }

  private func finding(
    _ memo: Memo<State, repeat each Dependency, Output>,
    _ state: State
  ) -> String? {
    guard memo.isStale(state) else { return nil }
    return "\(self.label) kept its output although the state gives another: its "
      + "filter refuses an action it should let pass, or its dependencies leave something out"
  }

  /// Whether an action since `version` passes the filter, or might pass it.
  private func isIncluded(
    _ scope: RenderScope<State, Action>,
    since version: UInt64?
  ) -> Bool {
    guard let filter = self.filter, let version else { return true }
    guard let actions = scope.actions(since: version) else { return true }
    return actions.contains { filter($0.oldState, $0.action) }
  }
}
