import HTMLTemplates
import Synchronization

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
