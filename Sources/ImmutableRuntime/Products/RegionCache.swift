import ImmutableUI
import Synchronization

/// One component of a product as it was last rendered. All pages and places that show it share it.
///
/// Not Sendable: whoever renders owns it.
final class Region<State: Sendable, Action: Sendable> {
  let component: RegionComponent
  fileprivate(set) var rendered: Rendered
  fileprivate(set) var reads: [SelectorRead<State, Action>]
  /// Up to which version it is known to be as it should be.
  fileprivate(set) var version: UInt64
  /// Those that show it.
  fileprivate(set) var places: Set<PlaceID> = []
  /// When somebody last asked for it.
  fileprivate var asked = ContinuousClock.now
  /// Whether it is to be rendered whatever its selectors say.
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

/// How many bytes the renders take that windows show, of all products together.
final class RenderBudget: Sendable {
  /// What they may take; who asks for more is refused (``WindowError/Code/tooManyPlaces``).
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

/// The newest render of each region of a product, brought up to date when asked.
///
/// Those that a place shows stay as long as it does; how many bytes they take says the budget, so that no
/// more places are let in than there is room for. Of the others it keeps the newest, within a limit, for 10 s.
///
/// Not Sendable: whoever renders owns it.
struct RegionCache<State: Sendable, Action: Sendable> {
  typealias Region = ImmutableRuntime.Region<State, Action>
  typealias Scope = RenderScope<State, Action>

  /// Who reads a selector, of the regions in use.
  private final class Readers {
    let memo: any SelectorMemo<State, Action>
    /// How often its output had changed when the regions were last told.
    var changes: UInt64
    var regions: [RegionComponent: Region] = [:]

    init(_ read: SelectorRead<State, Action>) {
      self.memo = read.memo
      self.changes = read.changes
    }
  }

  private let budget: RenderBudget
  /// As many as places show, and so bounded by the budget.
  private var used: [RegionComponent: Region] = [:]
  private var unused: Cache<RegionComponent, Region>
  /// What renders in use take, in bytes.
  private(set) var bytesInUse = 0
  /// By selector, the used regions that read it.
  private var readers: [ObjectIdentifier: Readers] = [:]
  /// The used regions that have changed since the last ``update(to:in:)``.
  private var changed: [RegionComponent: Region] = [:]
  /// The version up to which all used regions are as they should be.
  private var version: UInt64 = 0

  /// - Parameters:
  ///   - limit: What renders may take that no place shows, in bytes.
  ///   - budget: Is told what the others take.
  init(limit: Int, budget: RenderBudget) {
    self.unused = Cache(limit: limit)
    self.budget = budget
  }

  var count: Int { self.countInUse + self.countUnused }
  var countInUse: Int { self.used.count }
  var countUnused: Int { self.unused.count }
  /// What renders take that no place shows, in bytes.
  var bytesUnused: Int { self.unused.bytes }

  /// The region's render at the scope's snapshot; the same object as before if nothing has changed.
  ///
  /// - Complexity: O(s) for the s selectors that it reads, plus a render if an output changed.
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

  /// The page's regions: the root and, after each region, those that it nests.
  mutating func compose(
    _ root: RegionComponent,
    version: UInt64,
    in scope: Scope
  ) -> [(name: String, region: Region)] {
    var regions: [(name: String, region: Region)] = []
    var names: Set<String> = []
    func add(_ name: String, _ component: RegionComponent) {
      // A name that repeats would show one region's content in another's place, or never end.
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

  /// Forgets renders that no place shows and that nobody has asked for.
  mutating func expire(_ now: ContinuousClock.Instant) {
    self.unused.removeOldest { $0.asked + .seconds(10) <= now }
  }

  /// Forgets all renders, so that each is made anew: the templates have changed.
  mutating func removeAll() {
    self.unused = Cache(limit: self.unused.limit)
    for region in self.used.values {
      region.isOutdated = true
    }
  }
}

// Frames.
extension RegionCache {
  /// Brings all used regions to the scope's snapshot.
  ///
  /// - Returns: Those that have changed since the last time.
  /// - Complexity: O(s) for the s selectors that are read, plus a render of each region that changes.
  mutating func update(to version: UInt64, in scope: Scope) -> [Region] {
    var concerned: [RegionComponent: Region] = [:]
    for readers in self.readers.values {
      let changes = readers.memo.update(in: scope)
      guard changes != readers.changes else { continue }
      readers.changes = changes
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
    if isUsed { self.stopReading(region) }
    region.reads = reads
    region.version = version
    region.isOutdated = false
    if isUsed { self.startReading(region) }
    // Content that came out the same keeps its identity, so that nobody looks for a difference.
    guard new.tag != old.tag || new.nested != old.nested else { return }
    region.rendered = new
    if isUsed {
      self.use(bytes: new.heapSize - old.heapSize)
      self.changed[region.component] = region
    } else {
      self.unused.insert(region, for: region.component, bytes: new.heapSize)
    }
  }

  private static func isCurrent(_ region: Region, in scope: Scope) -> Bool {
    // Every selector is asked, so that each has seen every version.
    region.reads.reduce(true) { isCurrent, read in
      read.memo.update(in: scope) == read.changes && isCurrent
    }
  }
}

// Use.
extension RegionCache {
  /// A place shows a region.
  mutating func use(_ region: Region, at place: PlaceID) {
    if region.places.isEmpty {
      self.unused.removeValue(for: region.component)
      self.used[region.component] = region
      self.use(bytes: region.rendered.heapSize)
      self.startReading(region)
    }
    region.places.insert(place)
  }

  /// A place does not show a region any more.
  mutating func giveUp(_ region: Region, at place: PlaceID) {
    guard region.places.remove(place) != nil, region.places.isEmpty else { return }
    self.used[region.component] = nil
    self.changed[region.component] = nil
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
      let readers = self.readers[id] ?? Readers(read)
      readers.regions[region.component] = region
      self.readers[id] = readers
    }
  }

  private mutating func stopReading(_ region: Region) {
    for read in region.reads {
      let id = ObjectIdentifier(read.memo)
      self.readers[id]?.regions[region.component] = nil
      if self.readers[id]?.regions.isEmpty == true {
        self.readers[id] = nil
      }
    }
  }
}
