import HTMLTemplates
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

/// The parts of the current render that slots and presenters need. The type of the store is erased.
protocol RenderContext: AnyObject, Sendable {
  var templates: TemplateSet { get }
  var counters: FrameCounters { get }
  /// The region's last render, whose unchanged rows are reused.
  var previous: Rendered? { get }
}

/// Gives selectors and slots the current render.
package enum Rendering {
  @TaskLocal static var context: (any RenderContext)?

  /// Reading a selector or writing a component outside a render is a programmer error.
  static var required: any RenderContext {
    guard let context else {
      preconditionFailure("selectors have values, and components are written, only in a render")
    }
    return context
  }

  /// Renders a region, unless its body equals that of the last render, or of another region.
  ///
  /// - Parameters:
  ///   - previous: The region's last render, whose unchanged rows are reused.
  ///   - known: The selectors that it read.
  /// - Returns: The render, which is `previous` if the body is equal, and the selectors that it read.
  package static func render(
    _ component: RegionComponent,
    previous: Rendered?,
    reading known: [SelectorRead] = [],
    in scope: any AnyRenderScope
  ) -> (Rendered, [SelectorRead]) {
    let context = StoreRenderContext(
      component: component, scope: scope, previous: previous, known: known)
    let rendered = self.$context.withValue(context) { () -> Rendered in
      let shown = component.shown
      if let shown, let known = previous?.shown == shown ? previous : scope.shown[shown] {
        scope.counters.audit { self.finding(known, of: shown, in: scope) }
        return known
      }
      let rendered = scope.times.measure(.render(component)) { () -> Rendered in
        let before = context.selections
        var writer = HTMLWriter(capacity: previous?.bytes.count ?? 256)
        (shown ?? component).render(into: &writer)
        let title = component.title
        // A body that selects for itself shows more than what it contains.
        return Rendered(
          writer, title: title, showing: context.selections == before ? shown : nil)
      }
      scope.counters.regionRenders.add()
      scope.shown.add(rendered)
      return rendered
    }
    return (rendered, context.takeReads())
  }

  /// Whether a render that was kept differs from a new one of the same value.
  private static func finding(
    _ known: Rendered,
    of shown: RegionComponent,
    in scope: any AnyRenderScope
  ) -> String? {
    let context = StoreRenderContext(component: shown, scope: scope, previous: known, known: [])
    return self.$context.withValue(context) { () -> String? in
      var writer = HTMLWriter()
      shown.render(into: &writer)
      return Rendered(writer).tag == known.tag
        ? nil : "two \(shown.name) are equal although they show different things"
    }
  }
}

/// A selector that a region read, and its change count at that time.
package struct SelectorRead: Sendable {
  /// Retained, so that no new selector can have the same address.
  package let definition: any SelectorDeclaration
  package let memo: any SelectorMemo
  package let changes: UInt64

  /// Its label; by default where it is declared.
  package var name: String { self.memo.label }
}

/// The render of one region on a snapshot of a store.
final class StoreRenderContext: RenderContext {
  private let component: RegionComponent
  let scope: any AnyRenderScope
  let previous: Rendered?
  /// The selectors that the region read in its last render. It usually reads the same again, and a
  /// look-up in the table hashes everything that a selector captures.
  private let known: [SelectorRead]
  /// The selectors that the region reads, each once. They are few, and most are read several times.
  private let reads = Mutex<[SelectorRead]>([])
  private let selectionCount = Atomic(0)

  fileprivate init(
    component: RegionComponent,
    scope: any AnyRenderScope,
    previous: Rendered?,
    known: [SelectorRead]
  ) {
    self.component = component
    self.scope = scope
    self.previous = previous
    self.known = known
  }

  var templates: TemplateSet { self.scope.templates }
  var counters: FrameCounters { self.scope.counters }

  fileprivate func takeReads() -> [SelectorRead] {
    self.reads.withLock { $0 }
  }

  /// How often a selector was read.
  fileprivate var selections: Int { self.selectionCount.load(ordering: .relaxed) }

  /// The output of a selector on the snapshot.
  func select<Memo: OutputMemo>(_ definition: SelectorDefinition<Memo>) -> Memo.Output {
    func find(in reads: [SelectorRead]) -> SelectorRead? {
      reads.first { $0.definition === definition }
    }
    // The definition is the same object, so its memo has the same type. A dynamic cast is slow.
    func ownMemo(of read: SelectorRead) -> Memo { unsafeDowncast(read.memo, to: Memo.self) }
    self.selectionCount.add(1, ordering: .relaxed)
    if let read = self.reads.withLock({ find(in: $0) }) { return ownMemo(of: read).output }

    let known = find(in: self.known)
    let memo = known.map { ownMemo(of: $0) } ?? self.memo(of: definition)
    let changes = self.scope.update(
      memo, of: definition, since: known?.changes, for: [self.component])
    self.reads.withLock {
      $0.append(SelectorRead(definition: definition, memo: memo, changes: changes))
    }
    self.counters.audit {
      memo.isShared(
        with: definition.makeMemo(), in: self.scope.of(Memo.State.self, Memo.Action.self))
        ? nil : "selector at \(definition.key.callSite) captures something that is not in its id"
    }
    return memo.output
  }

  private func memo<Memo: OutputMemo>(of definition: SelectorDefinition<Memo>) -> Memo {
    guard type(of: self.scope) == RenderScope<Memo.State, Memo.Action>.self else {
      preconditionFailure(
        "a component selects from a store of \(Memo.State.self), but its page is provided with another"
      )
    }
    return self.scope.memos.memo(definition.key, definition.makeMemo)
  }
}

// Lists.
extension RenderContext {
  /// Renders the rows that differ from the region's last render.
  ///
  /// - Complexity: O(n), n rows, with one comparison each; O(1) if the array is the same.
  func render<Row>(
    _ name: String,
    _ values: [Row],
    _ program: TemplateProgram<Row>
  ) -> RenderedList where Row: Identifiable & Equatable & Sendable {
    let old = self.previous?.lists.first { $0.name == name }
    let oldValues = old?.values as? [Row] ?? []
    let oldRows = old?.rows ?? []
    if let old, oldValues.isSameBuffer(as: values) {
      return old
    }
    if let kept = oldValues.kept(in: values) {
      let rows = kept.enumerated().map { position, old in
        old.map { oldRows[$0] } ?? self.render(row: values[position], of: name, program)
      }
      return RenderedList(name: name, rows: rows, values: values)
    }
    // Only the rows between equal ones are looked up. If there are none, no id repeats, because none
    // did before.
    var (start, end) = oldValues.commonEnds(with: values)
    let unique = values.count == start + end ? values : values.withoutRepeatedIDs()
    if unique.count < values.count { (start, end) = oldValues.commonEnds(with: unique) }
    let oldIndices = Dictionary(
      (start..<oldValues.count - end).lazy.map { (oldValues[$0].id, $0) },
      uniquingKeysWith: { first, _ in first }
    )
    let middle = unique[start..<unique.count - end].map { value in
      if let old = oldIndices[value.id], oldValues[old] == value { return oldRows[old] }
      return self.render(row: value, of: name, program)
    }
    let rows = oldRows.prefix(start) + middle + oldRows.suffix(end)
    return RenderedList(name: name, rows: Array(rows), values: unique)
  }

  /// Renders the rows that have changed since the region's last render.
  ///
  /// - Complexity: That of ``ListRows/change(from:_:)``, plus O(k) references for k rows, and a row for
  ///   each that may have changed.
  func render<Source, Row>(
    _ name: String,
    _ list: ListRows<Source, Row>,
    _ program: TemplateProgram<Row>
  ) -> RenderedList {
    typealias Shown = ShownRows<Source, Row>
    guard let old = self.previous?.lists.first(where: { $0.name == name }),
      let shown = old.values as? Shown
    else {
      let rows = (0..<list.count).map { self.render(row: list.row(at: $0), of: name, program) }
      return RenderedList(name: name, rows: rows, values: Shown(list), heapSize: list.heapSize)
    }
    let change = list.change(from: shown.list, shown.positions)
    let oldRows = old.rows
    // Of the rows that may have changed or moved.
    let concerned = Array(change.replaced) + change.changed.map(\.old)
    let oldPositions = Dictionary(
      concerned.map { (shown.list.id(at: $0), $0) }
    ) { first, _ in first }
    func row(at position: Int) -> RenderedRow {
      let value = list.row(at: position)
      if let old = oldPositions[list.id(at: position)], shown.list.row(at: old) == value {
        return oldRows[old]
      }
      return self.render(row: value, of: name, program)
    }
    var rows = oldRows
    rows.removeLast(change.removedLast)
    rows.replaceSubrange(change.replaced, with: change.replacing.map(row))
    for (_, position) in change.changed { rows[position] = row(at: position) }
    rows += (rows.count..<rows.count + change.addedLast).map(row)
    let isSameOrder =
      change.isInPlace && concerned.allSatisfy { list.id(at: $0) == shown.list.id(at: $0) }
    let rendered = RenderedList(
      name: name,
      rows: rows,
      values: Shown(list, at: isSameOrder ? shown.positions : nil),
      heapSize: list.heapSize,
      from: old,
      change
    )
    self.counters.audit { self.finding(rendered, list, program) }
    return rendered
  }

  private func finding<Source, Row>(
    _ rendered: RenderedList,
    _ list: ListRows<Source, Row>,
    _ program: TemplateProgram<Row>
  ) -> String? {
    let fresh = RenderedList(
      name: rendered.name,
      rows: (0..<list.count).map { position in
        var writer = HTMLWriter()
        let row = list.row(at: position)
        program.render(row, into: &writer)
        return RenderedRow(key: "\(row.id)", writer)
      },
      values: [Row]()
    )
    guard fresh.rows.map(\.tag) == rendered.rows.map(\.tag) else {
      return "a row of \(rendered.name) was kept although it has changed: it depends on something "
        + "that its ListRows does not capture, or on rows beyond its reach"
    }
    guard fresh.tag == rendered.tag, fresh.groups.map(\.tag) == rendered.groups.map(\.tag) else {
      return "\(rendered.name) has the rows of a list that is built anew, but not its tag"
    }
    return nil
  }

  private func render<Row>(
    row value: Row,
    of name: String,
    _ program: TemplateProgram<Row>
  ) -> RenderedRow where Row: Identifiable & Equatable & Sendable {
    var writer = HTMLWriter(capacity: 256)
    program.render(value, into: &writer)
    self.counters.rowRenders.add()
    assert(
      writer.holes.allSatisfy {
        $0.content is RenderedList == false && $0.content is NestedRegion == false
      },
      "a row of \(name) has a list or a region in it: only regions may"
    )
    return RenderedRow(key: "\(value.id)", writer)
  }
}

extension Array where Element: Identifiable & Equatable {
  /// For each element of another array, the index of the element here that equals it, if there is one.
  /// Most changes are so small that this needs no table of ids. Equal elements must have equal ids,
  /// and no id repeats here.
  ///
  /// - Returns: `nil` if elements have moved, if an id of the other array repeats, if it has more than
  ///   a few new ones, or if it lacks more than a few elements in a row.
  /// - Complexity: O(n), n elements.
  fileprivate func kept(in other: Self) -> [Int?]? {
    let few = 4
    // It loops over pointers, because unspecialised generic code copies every value that it takes out
    // of an array, including all its strings.
    return self.withUnsafeBufferPointer { old in
      other.withUnsafeBufferPointer { new in
        var kept: [Int?] = []
        kept.reserveCapacity(new.count)
        var added: [Int] = []
        var next = 0
        for position in 0..<new.count {
          if next < old.count, old[next] == new[position] {
            kept.append(next)
            next += 1
            continue
          }
          let near = next..<Swift.min(next + few, old.count)
          if let index = near.first(where: { old[$0].id == new[position].id }) {
            kept.append(old[index] == new[position] ? index : nil)
            next = index + 1
            continue
          }
          guard added.count < few,
            added.contains(where: { new[$0].id == new[position].id }) == false,
            old.indices.contains(where: { old[$0].id == new[position].id }) == false
          else { return nil }
          added.append(position)
          kept.append(nil)
        }
        return kept
      }
    }
  }
}

extension Array where Element: Equatable {
  /// The number of equal elements at the start of both arrays, and of those at the end of both that
  /// are not among them. It loops over pointers, as above.
  fileprivate func commonEnds(with other: Self) -> (start: Int, end: Int) {
    self.withUnsafeBufferPointer { old in
      other.withUnsafeBufferPointer { new in
        let count = Swift.min(old.count, new.count)
        var (start, end) = (0, 0)
        while start < count, old[start] == new[start] { start += 1 }
        while end < count - start, old[old.count - 1 - end] == new[new.count - 1 - end] { end += 1 }
        return (start, end)
      }
    }
  }
}

extension Array where Element: Identifiable {
  /// The first element with each id; the same array if no id repeats.
  fileprivate func withoutRepeatedIDs() -> Self {
    var ids = Set<Element.ID>(minimumCapacity: self.count)
    // Usually none repeats, so nothing is copied.
    if self.allSatisfy({ ids.insert($0.id).inserted }) { return self }
    ids.removeAll(keepingCapacity: true)
    return self.filter { ids.insert($0.id).inserted }
  }
}
