package import ImmutableData
import Synchronization

/// A ``RenderScope`` whose types are erased. What handles all selectors and regions of a product is
/// given this, because generic code that is not specialized for the types of a product is slow.
package protocol AnyRenderScope: AnyObject, Sendable {
  var memos: MemoTable { get }
  var templates: TemplateSet { get }
  var counters: FrameCounters { get }
  /// Measures times; `nil` if the frame is not observed.
  var times: FrameTimes? { get }
  /// What regions of this snapshot show, and its render.
  var shown: ShownValues { get }
}

/// The values that the regions of a snapshot show, each rendered once (``Rendered/shown``).
package final class ShownValues: Sendable {
  private let renders = Mutex<[RegionComponent: Rendered]>([:])

  subscript(value: RegionComponent) -> Rendered? { self.renders.withLock { $0[value] } }

  func add(_ rendered: Rendered) {
    guard let value = rendered.shown else { return }
    self.renders.withLock { $0[value] = rendered }
  }
}

extension AnyRenderScope {
  /// The scope of a selector, which is always used with the store that it selects from.
  func of<State, Action>(_ state: State.Type, _ action: Action.Type) -> RenderScope<State, Action> {
    unsafeDowncast(self, to: RenderScope<State, Action>.self)
  }

  /// Updates a selector to the snapshot.
  ///
  /// - Parameters:
  ///   - memo: The selector's memo.
  ///   - definition: The selector.
  ///   - changes: How often its output had changed when the reader last checked; `nil` if it never
  ///     has. Then no output is counted as changed.
  ///   - readers: The regions that read it.
  /// - Returns: How often its output has changed so far.
  package func update(
    _ memo: any SelectorMemo,
    of definition: any SelectorDeclaration,
    since changes: UInt64?,
    for readers: @autoclosure () -> [RegionComponent]
  ) -> UInt64 {
    guard let times = self.times, times.isFirstUpdate(of: memo) else {
      return memo.update(in: self)
    }
    return times.measure(
      { memo.update(in: self) },
      as: { newChanges in
        .select(
          label: memo.label, position: definition.position, readers: readers(),
          didChange: changes.map { newChanges != $0 } ?? false, rows: times.takeRows())
      }
    )
  }
}

/// The data from which a product's regions are rendered, at one version.
package final class RenderScope<State: Sendable, Action: Sendable>: AnyRenderScope {
  private typealias Actions = (since: UInt64, actions: [LoggedAction<State, Action>]?)

  package let snapshot: StoreSnapshot<State, Action>
  package let memos: MemoTable
  package let templates: TemplateSet
  package let counters: FrameCounters
  package let times: FrameTimes?
  package let shown = ShownValues()
  /// The last result. There can be thousands of selectors, and nearly all ask for the same version.
  private let actions = Mutex<Actions?>(nil)
  /// The differences of tables since a version, found once for all selectors of a table. There are
  /// few, because nearly all selectors ask for the same version.
  private let differences = Mutex<[DifferenceKey: any AnyObject & Sendable]>([:])

  private struct DifferenceKey: Hashable {
    let table: any AnyKeyPath & Sendable
    let version: UInt64
  }

  package init(
    snapshot: StoreSnapshot<State, Action>,
    memos: MemoTable,
    templates: TemplateSet,
    counters: FrameCounters,
    times: FrameTimes? = nil
  ) {
    self.snapshot = snapshot
    self.memos = memos
    self.templates = templates
    self.counters = counters
    self.times = times
  }

  /// The actions of the snapshot after a version; `nil` if the log no longer has one of them.
  package func actions(since version: UInt64) -> [LoggedAction<State, Action>]? {
    self.actions.withLock { known in
      if let known, known.since == version { return known.actions }
      let actions = self.snapshot.actions(since: version)
      known = (version, actions)
      return actions
    }
  }

  /// The difference of a table since a version.
  ///
  /// - Parameters:
  ///   - table: Which table of the state.
  ///   - old: The table at that version.
  ///   - version: The version of the state that contained `old`.
  func difference<Row>(
    of table: any KeyPath<State, Table<Row>> & Sendable,
    from old: Table<Row>,
    since version: UInt64
  ) -> Table<Row>.Difference {
    let key = DifferenceKey(table: table, version: version)
    return self.differences.withLock { differences in
      // The type of the key path contains the type of the rows.
      if let known = differences[key] {
        return unsafeDowncast(known, to: KnownDifference<Row>.self).difference
      }
      let difference = self.snapshot.state[keyPath: table].difference(from: old)
      differences[key] = KnownDifference(difference)
      return difference
    }
  }
}

private final class KnownDifference<Row>: Sendable
where Row: Identifiable & Hashable & Sendable, Row.ID: Sendable {
  let difference: Table<Row>.Difference

  init(_ difference: Table<Row>.Difference) {
    self.difference = difference
  }
}
