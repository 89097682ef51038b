import HTMLTemplates
import ImmutableData
import Synchronization

/// What rendering one page's regions at one moment works with.
struct RenderScope: Sendable {
  /// The page's store: its type, its identity, and its snapshot.
  let store: StoreSource
  let snapshot: any Sendable
  let memos: MemoTable
  let templates: TemplateSet
  let counters: FrameCounters
}

/// What rendering one region works with. Selectors and slots find it where they run.
final class RenderContext: Sendable {
  /// A selector that the region read, and how often its output had changed then.
  struct Read: Sendable {
    let memo: any AnyStoreMemo
    let changes: UInt64
  }

  @TaskLocal static var current: RenderContext?

  /// The context of the render that is going on; without one, reading a selector or writing a
  /// component is a programmer error.
  static var required: RenderContext {
    guard let current else {
      preconditionFailure("selectors have values, and components are written, only in a render")
    }
    return current
  }

  let scope: RenderScope
  private let previous: Rendered?
  private let reads = Mutex<[Read]>([])

  private init(scope: RenderScope, previous: Rendered?) {
    self.scope = scope
    self.previous = previous
  }

  /// Renders a region.
  ///
  /// - Parameter previous: Its last render, whose unchanged rows are used again.
  /// - Returns: The render, and what it read.
  static func render(
    _ component: RegionComponent,
    previous: Rendered?,
    in scope: RenderScope
  ) -> (Rendered, [Read]) {
    let context = RenderContext(scope: scope, previous: previous)
    var writer = HTMLWriter(capacity: previous?.bytes.count ?? 256)
    self.$current.withValue(context) {
      component.render(into: &writer)
    }
    scope.counters.add(\.regionRenders)
    return (Rendered(writer), context.reads.withLock { $0 })
  }
}

// For selectors.
extension RenderContext {
  func select<Store, each Dependency, Output>(
    from store: Store.Type,
    key: MemoKey,
    outputSelector: OutputSelector<Store.State, Output>,
    makeMemo: () -> StoreMemo<Store.State, Store.Action, repeat each Dependency, Output>
  ) -> Output
  where
    Store: ImmutableData.Selector, Store: ImmutableData.Streamer,
    repeat each Dependency: Sendable, Output: Sendable
  {
    guard self.scope.store.type == ObjectIdentifier(store) else {
      preconditionFailure(
        "a component selects from \(store), but its page is provided with \(self.scope.store.name)"
      )
    }
    let memo = self.scope.memos.memo(self.scope.store.id, key, makeMemo)
    let changes = memo.update(with: self.scope.snapshot, counting: self.scope.counters)
    self.reads.withLock { $0.append(Read(memo: memo, changes: changes)) }
    self.scope.counters.audit {
      memo.isShared(with: outputSelector, self.scope.snapshot)
        ? nil : "selector at \(key.callSite) captures something that is not in its id"
    }
    return memo.output
  }
}

// For lists.
extension RenderContext {
  /// Renders the rows that the region's last render did not have.
  ///
  /// - Complexity: O(n), n rows: one comparison each; nothing when the array is the same.
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
    if let changes = oldValues.changesInPlace(to: values) {
      // Nothing repeats, and nothing needs a look-up.
      var rows = oldRows
      for index in changes {
        rows[index] = self.render(row: values[index], of: name, program)
      }
      return RenderedList(name: name, rows: rows, values: values)
    }
    var oldIndices: [Row.ID: Int]?
    func oldIndex(of value: Row, near index: Int) -> Int? {
      if index < oldValues.count, oldValues[index].id == value.id {
        return index
      }
      if oldIndices == nil {
        oldIndices = Dictionary(
          oldValues.indices.lazy.map { (oldValues[$0].id, $0) },
          uniquingKeysWith: { first, _ in first }
        )
      }
      return oldIndices?[value.id]
    }
    let values = values.withoutRepeatedIDs()
    let rows = values.indices.map { index -> RenderedRow in
      let value = values[index]
      if let old = oldIndex(of: value, near: index), oldValues[old] == value {
        return oldRows[old]
      }
      return self.render(row: value, of: name, program)
    }
    return RenderedList(name: name, rows: rows, values: values)
  }

  private func render<Row>(
    row value: Row,
    of name: String,
    _ program: TemplateProgram<Row>
  ) -> RenderedRow where Row: Identifiable & Equatable & Sendable {
    var writer = HTMLWriter(capacity: 256)
    program.render(value, into: &writer)
    self.scope.counters.add(\.rowRenders)
    assert(
      writer.holes.allSatisfy {
        $0.content is RenderedList == false && $0.content is NestedRegion == false
      },
      "a row of \(name) has a list or a region in it: only regions may"
    )
    return RenderedRow(key: "\(value.id)", writer)
  }
}

extension Array {
  fileprivate func isSameBuffer(as other: Self) -> Bool {
    self.count == other.count
      && self.withUnsafeBufferPointer { old in
        other.withUnsafeBufferPointer { new in old.baseAddress == new.baseAddress }
      }
  }
}

extension Array where Element: Identifiable & Equatable {
  /// Where the elements of another array differ that has elements with the same ids, in the same
  /// order; `nil`: it has not. Equal elements have equal ids.
  ///
  /// It loops over pointers: what is generic and not specialised copies a value whenever it takes it out
  /// of an array, and every text in it with it.
  fileprivate func changesInPlace(to other: Self) -> [Int]? {
    guard self.count == other.count else { return nil }
    return self.withUnsafeBufferPointer { old in
      other.withUnsafeBufferPointer { new in
        var indices: [Int] = []
        for index in 0..<old.count where old[index] != new[index] {
          guard old[index].id == new[index].id else { return nil }
          indices.append(index)
        }
        return indices
      }
    }
  }
}

extension Array where Element: Identifiable {
  /// The first of the elements with each id; the same array where no id repeats.
  fileprivate func withoutRepeatedIDs() -> Self {
    var ids = Set<Element.ID>(minimumCapacity: self.count)
    return self.allSatisfy { ids.insert($0.id).inserted } ? self : self.uniqued()
  }

  private func uniqued() -> Self {
    var ids = Set<Element.ID>(minimumCapacity: self.count)
    return self.filter { ids.insert($0.id).inserted }
  }
}
