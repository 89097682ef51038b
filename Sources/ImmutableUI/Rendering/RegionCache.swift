/// The newest render of every region that is in use, brought up to date when asked.
///
/// Not Sendable: whoever renders owns it.
struct RegionCache {
  private struct Entry {
    var rendered: Rendered
    var reads: [RenderContext.Read]
    var version: UInt64
  }

  private struct Key: Hashable {
    let store: ObjectIdentifier
    let component: RegionComponent
  }

  private var entries: [Key: Entry] = [:]
  private var countAfterSweep = 0

  var count: Int {
    self.entries.count
  }

  /// The region's render at the scope's snapshot; the same object as before if nothing has changed.
  ///
  /// - Complexity: O(s) for the s selectors that it reads, plus a render if an output changed.
  mutating func render(
    _ component: RegionComponent,
    version: UInt64,
    in scope: RenderScope
  ) -> Rendered {
    let key = Key(store: scope.store.id, component: component)
    if let entry = self.entries[key] {
      if entry.version >= version { return entry.rendered }
      if Self.isCurrent(entry, in: scope) {
        self.entries[key]?.version = version
        return entry.rendered
      }
    }
    let old = self.entries[key]?.rendered
    let (new, reads) = RenderContext.render(component, previous: old, in: scope)
    // Content that came out the same keeps its identity, so that nobody looks for a difference.
    let rendered = old.flatMap { $0.tag == new.tag && $0.nested == new.nested ? $0 : nil } ?? new
    self.entries[key] = Entry(rendered: rendered, reads: reads, version: version)
    return rendered
  }

  /// The page's regions: the root and, after each region, those that it nests.
  mutating func compose(
    _ root: RegionComponent,
    version: UInt64,
    in scope: RenderScope
  ) -> [Composition.Region] {
    var regions: [Composition.Region] = []
    func add(_ name: String, _ component: RegionComponent) {
      // A name that repeats would show one region's content in another's place, or never end.
      guard regions.contains(where: { $0.name == name }) == false else {
        assertionFailure("two regions of a page are named \(name)")
        return
      }
      let rendered = self.render(component, version: version, in: scope)
      regions.append(Composition.Region(name: name, rendered: rendered))
      for nested in rendered.nested {
        add(nested.name, nested.component)
      }
    }
    add(Composition.rootName, root)
    return regions
  }

  /// Forgets all renders, so that each is made anew: the templates have changed.
  mutating func removeAll() {
    self.entries.removeAll()
  }

  /// Forgets renders that are in none of the compositions, if there are many.
  ///
  /// - Complexity: O(1) mostly; O(n) when as many are new as there are in use.
  mutating func sweep(keeping compositions: () -> [Composition]) -> Bool {
    guard self.entries.count > 2 * self.countAfterSweep + 64 else { return false }
    let used = Set(
      compositions().lazy.flatMap { $0.regions }.map { ObjectIdentifier($0.rendered) }
    )
    self.entries = self.entries.filter { used.contains(ObjectIdentifier($0.value.rendered)) }
    self.countAfterSweep = self.entries.count
    return true
  }

  private static func isCurrent(_ entry: Entry, in scope: RenderScope) -> Bool {
    // Every selector is asked, so that each has seen every version.
    entry.reads.reduce(true) { isCurrent, read in
      read.memo.update(with: scope.snapshot, counting: scope.counters) == read.changes && isCurrent
    }
  }
}
