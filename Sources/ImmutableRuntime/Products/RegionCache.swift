import ImmutableUI

/// The last render of one component of a product, shared by all pages and places that show it.
///
/// Not Sendable: the renderer owns it.
final class Region {
  let component: RegionComponent
  fileprivate(set) var rendered: Rendered
  fileprivate(set) var reads: [SelectorRead]
  /// Which of the first 64 selectors led to this render, as bits; those of a first render all did.
  private var causeBits = UInt64.max
  /// The version at which the render was last known to be current.
  fileprivate(set) var version: UInt64
  /// The places that show it, each with the client that pays for the place.
  fileprivate var clients: [PlaceID: String] = [:]
  /// The one of these places whose client pays for the render.
  fileprivate var payingPlace: PlaceID = 0
  /// The first of these places. Later regions have higher numbers.
  fileprivate var firstPlace: PlaceID = 0
  /// When it was last requested, or shown.
  fileprivate var asked = ContinuousClock.now
  /// Whether it must be rendered again even if its selectors have not changed.
  fileprivate var isOutdated = false

  fileprivate init(
    component: RegionComponent,
    rendered: Rendered,
    reads: [SelectorRead],
    version: UInt64
  ) {
    self.component = component
    self.rendered = rendered
    self.reads = reads
    self.version = version
  }

  /// The selectors whose new outputs led to this render.
  var causes: some Sequence<SelectorRead> {
    self.reads.enumerated().lazy.filter { self.causeBits >> UInt64($0.offset) & 1 == 1 }
      .map { $0.element }
  }

  /// Replaces the selectors that it reads.
  ///
  /// - Complexity: O(s), s selectors.
  fileprivate func read(_ new: [SelectorRead], areNew: Bool) {
    self.causeBits = areNew ? .max : 0
    if areNew == false {
      for index in new.indices where self.reads[index].changes != new[index].changes {
        self.causeBits |= 1 << UInt64(index)
      }
    }
    self.reads = new
  }

  /// The places that show it.
  var places: some Collection<PlaceID> { self.clients.keys }
  /// The client that pays for the render.
  fileprivate var client: String { self.clients[self.payingPlace] ?? "" }
}

/// The newest render of each region of a product, updated when it is requested.
///
/// Renders that a place shows are kept as long as the place shows them. The budget counts their
/// bytes and limits how many places there can be. Each is paid for by one client that shows it: the
/// first, as long as that client shows it. Of the other renders the cache keeps the newest, within a
/// limit in bytes, for 10 s.
///
/// Not Sendable: the renderer owns it.
struct RegionCache {
  private let budget: RenderBudget
  /// The regions that places show, and so bounded by the budget.
  private var used: [RegionComponent: Region] = [:]
  private var unused: Cache<RegionComponent, Region>
  /// The size of the used renders and of their selectors' data, in bytes.
  private(set) var bytesInUse = 0
  /// Bounded by ``used``.
  private var readers = ReaderIndex()
  /// The used regions that have changed since the last ``takeChanged()``. Bounded by ``used``.
  private var changed: [ObjectIdentifier: Region] = [:]
  /// The selectors that the current update still has to check. Bounded by ``readers``.
  private var unchecked: [SelectorReaders] = []
  /// The used regions that it still has to render. Bounded by ``used``.
  private var unrendered: [ObjectIdentifier: Region] = [:]
  /// The version at which all used regions are current.
  private var version: UInt64 = 0
  /// The newest first render of each kind of region that shows a value. The next search often finds
  /// the same, or much the same. Bounded by the types of the program.
  private var newest: [ObjectIdentifier: Newest] = [:]

  private struct Newest {
    weak var rendered: Rendered?
  }

  /// - Parameters:
  ///   - limit: The maximum size of the renders that no place shows, in bytes.
  ///   - budget: Counts the bytes of the renders that places show.
  init(limit: Int, budget: RenderBudget) {
    self.unused = Cache(limit: limit)
    self.budget = budget
  }

  var count: Int { self.countInUse + self.countUnused }
  var countInUse: Int { self.used.count }
  var countUnused: Int { self.unused.count }
  /// The size of the renders that no place shows, in bytes.
  var bytesUnused: Int { self.unused.bytes }
  /// Whether nothing has to be given up: there is room in the budget, or others have to make room,
  /// because this product uses no more than its share.
  var hasRoom: Bool { self.budget.hasRoom(for: 0) || self.bytesInUse <= self.budget.share }

  /// The region's render at the scope's snapshot. It is the same object if nothing has changed.
  ///
  /// - Complexity: O(s) for the s selectors that it reads, plus a render if an output has changed.
  mutating func region(
    _ component: RegionComponent,
    version: UInt64,
    in scope: any AnyRenderScope
  ) -> Region {
    if let region = self.used[component] ?? self.unused.renew(component) {
      self.update(region, to: version, in: scope)
      region.asked = .now
      return region
    }
    let (rendered, reads) = Rendering.render(
      component, previous: self.newest[component.type]?.rendered, in: scope)
    if rendered.showsValue { self.newest[component.type] = Newest(rendered: rendered) }
    let region = Region(component: component, rendered: rendered, reads: reads, version: version)
    self.unused.insert(region, for: component, bytes: rendered.heapSize)
    return region
  }

  /// The page's regions: the root, and after each region the regions nested in it.
  mutating func compose(
    _ root: RegionComponent,
    version: UInt64,
    in scope: any AnyRenderScope
  ) -> [(name: String, region: Region)] {
    var regions: [(name: String, region: Region)] = []
    var names: Set<String> = []
    func add(_ name: String, _ component: RegionComponent) {
      // With a repeated name, one region would show the content of another, or rendering would
      // recurse forever.
      guard names.insert(name).inserted else {
        assertionFailure("two regions of a page are named \(name)")
        return
      }
      let region = self.region(component, version: version, in: scope)
      regions.append((name, region))
      for nested in region.rendered.nested {
        add(nested.name, nested.component)
      }
    }
    add(Composition.rootName, root)
    return regions
  }

  /// Updates the regions of a page that a place shows.
  ///
  /// - Parameter composition: The page with these regions, as it was shown last.
  /// - Returns: Whether it still has these regions. If not, it has to be composed anew, because one
  ///   of them now nests others.
  /// - Complexity: O(r), r regions, plus what has to be rendered.
  mutating func update(
    _ regions: [Region],
    of composition: Composition,
    to version: UInt64,
    in scope: any AnyRenderScope
  ) -> Bool {
    guard regions.count == composition.regions.count else { return false }
    for (region, shown) in zip(regions, composition.regions) {
      self.update(region, to: version, in: scope)
      let (new, old) = (region.rendered, shown.rendered)
      guard new === old || new.nested == old.nested else { return false }
    }
    return true
  }

  /// The oldest place that shows a component.
  func oldestPlace(showing component: RegionComponent) -> PlaceID? {
    self.used[component]?.places.min()
  }

  /// Evicts renders that have been neither requested nor shown for 10 s.
  mutating func expire(_ now: ContinuousClock.Instant) {
    self.unused.removeOldest { $0.asked + .seconds(10) <= now }
  }

  /// Discards all renders, because the templates have changed.
  mutating func removeAll() {
    self.unused = Cache(limit: self.unused.limit)
    self.newest = [:]
    for region in self.used.values {
      region.isOutdated = true
    }
  }
}

// Frames.
extension RegionCache {
  /// The maximum number of readers of a selector that developers are shown. It is enough to see
  /// that there are several.
  private static var toldReaders: Int { 16 }

  /// Begins to update all used regions to the scope's snapshot.
  ///
  /// - Complexity: That of ``ReaderIndex/readers(changedSince:in:)``.
  mutating func beginUpdate(in scope: any AnyRenderScope) {
    self.unchecked = self.readers.readers(changedSince: self.version, in: scope)
    self.unrendered = [:]
  }

  /// Continues to update the used regions, oldest first, as long as nothing has to be given up.
  ///
  /// - Returns: Whether all are up to date. If not, regions have to be given up first.
  /// - Complexity: O(s + c log c), s selectors to check and c regions that read those that have
  ///   changed, plus a render of each region that changes.
  mutating func continueUpdate(to version: UInt64, in scope: any AnyRenderScope) -> Bool {
    while let readers = self.unchecked.last {
      // They may have been given up since.
      if readers.regions.isEmpty == false {
        guard self.hasRoom else { return false }
        self.update(readers, in: scope)
      }
      self.unchecked.removeLast()
    }
    for region in self.unrendered.values.sorted(by: { $0.firstPlace < $1.firstPlace }) {
      guard self.hasRoom else { return false }
      self.unrendered[ObjectIdentifier(region)] = nil
      self.update(region, to: version, in: scope)
    }
    self.version = version
    return true
  }

  /// The used regions that have changed since the last call.
  mutating func takeChanged() -> [Region] {
    defer { self.changed = [:] }
    return Array(self.changed.values)
  }

  private mutating func update(_ readers: SelectorReaders, in scope: any AnyRenderScope) {
    let changes = scope.update(
      readers.memo, of: readers.definition, since: readers.changes,
      for: readers.regions.values.prefix(Self.toldReaders).map(\.component))
    guard changes != readers.changes else { return }
    readers.changes = changes
    self.use(bytes: readers.memo.heapSize - readers.bytes, for: readers.payer.client)
    readers.bytes = readers.memo.heapSize
    self.unrendered.merge(readers.regions) { region, _ in region }
  }

  private mutating func update(_ region: Region, to version: UInt64, in scope: any AnyRenderScope) {
    var current = region.version
    if region.places.isEmpty == false {
      current = max(current, self.version)
    }
    guard current < version || region.isOutdated else { return }
    if region.isOutdated == false, Self.isCurrent(region, in: scope) {
      region.version = version
    } else {
      self.render(region, version: version, in: scope)
    }
  }

  private mutating func render(_ region: Region, version: UInt64, in scope: any AnyRenderScope) {
    let old = region.rendered
    // Nothing that other templates have made is kept.
    let (new, reads) = Rendering.render(
      region.component, previous: region.isOutdated ? nil : old, reading: region.reads, in: scope)
    let isUsed = region.places.isEmpty == false
    // It has nearly always read the same selectors.
    let hasNewMemos = region.reads.elementsEqual(reads) { $0.memo === $1.memo } == false
    if isUsed, hasNewMemos { self.stopReading(region) }
    region.read(reads, areNew: hasNewMemos)
    region.version = version
    region.isOutdated = false
    if isUsed, hasNewMemos { self.startReading(region) }
    // If the content is unchanged, the old object is kept, so that nobody computes a difference.
    guard new.tag != old.tag || new.nested != old.nested else { return }
    region.rendered = new
    if isUsed {
      self.use(bytes: new.heapSize - old.heapSize, for: region.client)
      self.changed[ObjectIdentifier(region)] = region
    } else {
      self.unused.insert(region, for: region.component, bytes: new.heapSize)
    }
  }

  private static func isCurrent(_ region: Region, in scope: any AnyRenderScope) -> Bool {
    // No short circuit: every selector must see every version.
    region.reads.reduce(true) { isCurrent, read in
      scope.update(
        read.memo, of: read.definition, since: read.changes, for: [region.component])
        == read.changes && isCurrent
    }
  }
}

// Use.
extension RegionCache {
  /// Records that a place shows a region.
  ///
  /// - Parameter client: The client that pays for the place.
  mutating func use(_ region: Region, at place: PlaceID, for client: String) {
    let isNew = region.places.isEmpty
    region.clients[place] = client
    guard isNew else { return }
    self.unused.removeValue(for: region.component)
    self.used[region.component] = region
    region.firstPlace = place
    region.payingPlace = place
    self.use(bytes: region.rendered.heapSize, for: client)
    self.startReading(region)
  }

  /// Records that another client pays for a place.
  ///
  /// - Complexity: O(n), n regions and the selectors that they read.
  func change(_ place: PlaceID, showing regions: [Region], to client: String) {
    for region in regions where region.clients[place] != nil {
      let old = region.client
      region.clients[place] = client
      self.charge(region, insteadOf: old)
    }
  }

  /// Records that a place no longer shows a region.
  ///
  /// - Complexity: O(1), or O(s) for the s selectors that it reads if the place has paid for it.
  mutating func giveUp(_ region: Region, at place: PlaceID) {
    let client = region.client
    if region.clients.count > 1 {
      region.clients[place] = nil
      guard region.payingPlace == place, let heir = region.places.first else { return }
      region.payingPlace = heir
      return self.charge(region, insteadOf: client)
    }
    guard region.clients[place] != nil else { return }
    self.used[region.component] = nil
    self.changed[ObjectIdentifier(region)] = nil
    self.unrendered[ObjectIdentifier(region)] = nil
    self.use(bytes: -region.rendered.heapSize, for: client)
    self.stopReading(region)
    region.clients = [:]
    region.version = max(region.version, self.version)
    region.asked = .now
    self.unused.insert(region, for: region.component, bytes: region.rendered.heapSize)
  }

  /// The bytes that the budget will count if a place shows these regions, besides those that it
  /// counts already.
  ///
  /// - Complexity: O(n), n regions and the selectors that they read.
  func newBytes(of regions: [Region]) -> Int {
    var memos: Set<ObjectIdentifier> = []
    return regions.lazy.filter { $0.places.isEmpty }.reduce(0) { bytes, region in
      region.reads.reduce(bytes + region.rendered.heapSize) { bytes, read in
        let isNew =
          self.readers.contains(read) == false
          && memos.insert(ObjectIdentifier(read.memo)).inserted
        return isNew ? bytes + read.memo.heapSize : bytes
      }
    }
  }

  private mutating func use(bytes: Int, for client: String) {
    self.bytesInUse += bytes
    self.budget.add(bytes, for: client)
  }

  /// Lets the client of a region pay for it and its selectors, instead of another client.
  private func charge(_ region: Region, insteadOf old: String) {
    guard region.client != old else { return }
    var bytes = region.rendered.heapSize
    for readers in Set(region.reads.lazy.map { ObjectIdentifier($0.memo) })
      .compactMap({ self.readers[$0] }) where readers.payer === region
    {
      bytes += readers.bytes
    }
    self.budget.add(-bytes, for: old)
    self.budget.add(bytes, for: region.client)
  }

  private mutating func startReading(_ region: Region) {
    for read in region.reads {
      self.use(bytes: self.readers.add(region, reading: read), for: region.client)
    }
  }

  private mutating func stopReading(_ region: Region) {
    for read in region.reads {
      let readers = self.readers[ObjectIdentifier(read.memo)]
      self.use(bytes: -self.readers.remove(region, reading: read), for: region.client)
      guard let readers, readers.payer === region, let heir = readers.regions.values.first else {
        continue
      }
      readers.payer = heir
      self.budget.add(-readers.bytes, for: region.client)
      self.budget.add(readers.bytes, for: heir.client)
    }
  }
}
