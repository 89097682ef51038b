import ImmutableUI
import Synchronization

/// The last render of one component of a product, shared by all pages and places that show it.
///
/// Not Sendable: the renderer owns it.
final class Region<State: Sendable, Action: Sendable> {
  let component: RegionComponent
  fileprivate(set) var rendered: Rendered
  fileprivate(set) var reads: [SelectorRead<State, Action>]
  /// The version at which the render was last known to be current.
  fileprivate(set) var version: UInt64
  /// The places that show it.
  fileprivate(set) var places: Set<PlaceID> = []
  /// When it was last requested.
  fileprivate var asked = ContinuousClock.now
  /// Whether it must be rendered again even if its selectors have not changed.
  fileprivate var isOutdated = false

  fileprivate init(
    component: RegionComponent,
    rendered: Rendered,
    reads: [SelectorRead<State, Action>],
    version: UInt64
  ) {
    self.component = component
    self.rendered = rendered
    self.reads = reads
    self.version = version
  }
}

/// The total size of the renders that windows show, across all products.
final class RenderBudget: Sendable {
  /// The maximum in bytes. At the limit, requests for more are refused
  /// (``WindowError/Code/tooManyPlaces``).
  let limit: Int
  private let used = Mutex(0)

  init(limit: Int) {
    self.limit = limit
  }

  func hasRoom(for bytes: Int) -> Bool {
    self.used.withLock { $0 + bytes <= self.limit }
  }

  func add(_ bytes: Int) {
    self.used.withLock { $0 += bytes }
  }
}

/// The newest render of each region of a product, updated when it is requested.
///
/// Renders that a place shows are kept as long as the place shows them. The budget counts their
/// bytes and limits how many places there can be. Of the other renders it keeps the newest, within
/// a limit in bytes, for 10 s.
///
/// Not Sendable: the renderer owns it.
struct RegionCache<State: Sendable, Action: Sendable> {
  typealias Region = ImmutableRuntime.Region<State, Action>
  typealias Scope = RenderScope<State, Action>

  /// The used regions that read one selector.
  private final class Readers {
    let definition: any SelectorDeclaration
    let memo: any SelectorMemo<State, Action>
    /// The memo's change count when these regions were last updated.
    var changes: UInt64
    /// Its size when it was counted.
    var bytes: Int
    var regions: [ObjectIdentifier: Region] = [:]

    init(_ read: SelectorRead<State, Action>) {
      self.definition = read.definition
      self.memo = read.memo
      self.changes = read.changes
      self.bytes = read.memo.heapSize
    }
  }

  private let budget: RenderBudget
  /// The regions that places show, and so bounded by the budget.
  private var used: [RegionComponent: Region] = [:]
  private var unused: Cache<RegionComponent, Region>
  /// The size of the used renders and of what their selectors keep, in bytes.
  private(set) var bytesInUse = 0
  /// By selector. Bounded by the used regions.
  private var readers: [ObjectIdentifier: Readers] = [:]
  /// The used regions that have changed since the last ``update(to:in:)``. Bounded by ``used``.
  private var changed: [ObjectIdentifier: Region] = [:]
  /// The version at which all used regions are current.
  private var version: UInt64 = 0

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

  /// The region's render at the scope's snapshot. It is the same object if nothing has changed.
  ///
  /// - Complexity: O(s) for the s selectors that it reads, plus a render if an output has changed.
  mutating func region(
    _ component: RegionComponent,
    version: UInt64,
    in scope: Scope
  ) -> Region {
    if let region = self.used[component] ?? self.unused[component] {
      self.update(region, to: version, in: scope)
      region.asked = .now
      return region
    }
    let (rendered, reads) = Rendering.render(component, previous: nil, in: scope)
    let region = Region(component: component, rendered: rendered, reads: reads, version: version)
    self.unused.insert(region, for: component, bytes: rendered.heapSize)
    return region
  }

  /// The page's regions: the root, and after each region the regions nested in it.
  mutating func compose(
    _ root: RegionComponent,
    version: UInt64,
    in scope: Scope
  ) -> [(name: String, region: Region)] {
    var regions: [(name: String, region: Region)] = []
    var names: Set<String> = []
    func add(_ name: String, _ component: RegionComponent) {
      // A repeated name would show one region's content in another's place, or recurse forever.
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

  /// The places that show a component.
  func places(showing component: RegionComponent) -> Set<PlaceID> {
    self.used[component]?.places ?? []
  }

  /// Evicts renders that no place shows and that have not been requested for 10 s.
  mutating func expire(_ now: ContinuousClock.Instant) {
    self.unused.removeOldest { $0.asked + .seconds(10) <= now }
  }

  /// Discards all renders, because the templates have changed.
  mutating func removeAll() {
    self.unused = Cache(limit: self.unused.limit)
    for region in self.used.values {
      region.isOutdated = true
    }
  }
}

// Frames.
extension RegionCache {
  /// Of a selector that more regions read, developers are told these: enough to see that there are several.
  private static var toldReaders: Int { 16 }

  /// Updates all used regions to the scope's snapshot.
  ///
  /// - Returns: The regions that have changed since the last call.
  /// - Complexity: O(s) for the s selectors that are read, plus a render of each region that changes.
  mutating func update(to version: UInt64, in scope: Scope) -> [Region] {
    var concerned: [ObjectIdentifier: Region] = [:]
    for readers in self.readers.values {
      let changes = scope.update(
        readers.memo, of: readers.definition, since: readers.changes,
        for: readers.regions.values.prefix(Self.toldReaders).map(\.component))
      guard changes != readers.changes else { continue }
      readers.changes = changes
      self.use(bytes: readers.memo.heapSize - readers.bytes)
      readers.bytes = readers.memo.heapSize
      concerned.merge(readers.regions) { region, _ in region }
    }
    for region in concerned.values {
      self.update(region, to: version, in: scope)
    }
    self.version = version
    defer { self.changed = [:] }
    return Array(self.changed.values)
  }

  private mutating func update(_ region: Region, to version: UInt64, in scope: Scope) {
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

  private mutating func render(_ region: Region, version: UInt64, in scope: Scope) {
    let old = region.rendered
    let (new, reads) = Rendering.render(region.component, previous: old, in: scope)
    let isUsed = region.places.isEmpty == false
    // Nearly always it has read the same selectors.
    let hasNewMemos = region.reads.elementsEqual(reads) { $0.memo === $1.memo } == false
    if isUsed, hasNewMemos { self.stopReading(region) }
    region.reads = reads
    region.version = version
    region.isOutdated = false
    if isUsed, hasNewMemos { self.startReading(region) }
    // If the content is unchanged, the old object is kept, so that nobody computes a difference.
    guard new.tag != old.tag || new.nested != old.nested else { return }
    region.rendered = new
    if isUsed {
      self.use(bytes: new.heapSize - old.heapSize)
      self.changed[ObjectIdentifier(region)] = region
    } else {
      self.unused.insert(region, for: region.component, bytes: new.heapSize)
    }
  }

  private static func isCurrent(_ region: Region, in scope: Scope) -> Bool {
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
  mutating func use(_ region: Region, at place: PlaceID) {
    if region.places.isEmpty {
      self.unused.removeValue(for: region.component)
      self.used[region.component] = region
      self.use(bytes: region.rendered.heapSize)
      self.startReading(region)
    }
    region.places.insert(place)
  }

  /// Records that a place no longer shows a region.
  mutating func giveUp(_ region: Region, at place: PlaceID) {
    guard region.places.remove(place) != nil, region.places.isEmpty else { return }
    self.used[region.component] = nil
    self.changed[ObjectIdentifier(region)] = nil
    self.use(bytes: -region.rendered.heapSize)
    self.stopReading(region)
    region.version = max(region.version, self.version)
    self.unused.insert(region, for: region.component, bytes: region.rendered.heapSize)
  }

  private mutating func use(bytes: Int) {
    self.bytesInUse += bytes
    self.budget.add(bytes)
  }

  private mutating func startReading(_ region: Region) {
    for read in region.reads {
      let id = ObjectIdentifier(read.memo)
      let known = self.readers[id]
      let readers = known ?? Readers(read)
      readers.regions[ObjectIdentifier(region)] = region
      guard known == nil else { continue }
      self.readers[id] = readers
      self.use(bytes: readers.bytes)
    }
  }

  private mutating func stopReading(_ region: Region) {
    for read in region.reads {
      let id = ObjectIdentifier(read.memo)
      guard let readers = self.readers[id] else { continue }
      readers.regions[ObjectIdentifier(region)] = nil
      if readers.regions.isEmpty {
        self.readers[id] = nil
        self.use(bytes: -readers.bytes)
      }
    }
  }
}
