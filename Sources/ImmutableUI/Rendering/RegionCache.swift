/// One component of one store as it was last rendered. All pages and places that show it share it.
///
/// Not Sendable: whoever renders owns it.
final class Region {
  struct Key: Hashable {
    let store: ObjectIdentifier
    let component: RegionComponent
  }

  let key: Key
  fileprivate(set) var rendered: Rendered
  fileprivate(set) var reads: [RenderContext.Read]
  /// Up to which version it is known to be as it should be.
  fileprivate(set) var version: UInt64
  /// Those that show it.
  fileprivate(set) var places: Set<PlaceID> = []
  /// When somebody last asked for it.
  fileprivate var asked = ContinuousClock.now
  /// Whether it is to be rendered whatever its selectors say.
  fileprivate var isOutdated = false

  fileprivate init(
    key: Key,
    rendered: Rendered,
    reads: [RenderContext.Read],
    version: UInt64
  ) {
    self.key = key
    self.rendered = rendered
    self.reads = reads
    self.version = version
  }
}

/// The newest render of each region, brought up to date when asked.
///
/// Those that a place shows stay as long as it does; how many bytes they take says ``bytesInUse``, so that no
/// more places are let in than there is room for. Of the others it keeps the newest, within a limit, for 10 s.
///
/// Not Sendable: whoever renders owns it.
struct RegionCache {
  /// Who reads a selector, of the regions in use.
  private final class Readers {
    let memo: any AnyStoreMemo
    /// How often its output had changed when the regions were last told.
    var changes: UInt64
    var regions: [Region.Key: Region] = [:]

    init(_ read: RenderContext.Read) {
      self.memo = read.memo
      self.changes = read.changes
    }
  }

  /// As many as places show, and so bounded by ``bytesInUse``.
  private var used: [Region.Key: Region] = [:]
  private var unused: Cache<Region.Key, Region>
  /// What renders in use take, in bytes.
  private(set) var bytesInUse = 0
  /// By store, what the used regions read.
  private var readers: [ObjectIdentifier: [ObjectIdentifier: Readers]] = [:]
  /// By store, the used regions that have changed since the last ``update(to:in:)``.
  private var changed: [ObjectIdentifier: [Region.Key: Region]] = [:]
  /// By store, the version up to which all used regions are as they should be.
  private var versions: [ObjectIdentifier: UInt64] = [:]

  /// - Parameter limit: What renders may take that no place shows, in bytes.
  init(limit: Int) {
    self.unused = Cache(limit: limit)
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
    in scope: RenderScope
  ) -> Region {
    let key = Region.Key(store: scope.store.id, component: component)
    if let region = self.used[key] ?? self.unused[key] {
      self.update(region, to: version, in: scope)
      region.asked = .now
      return region
    }
    let (rendered, reads) = RenderContext.render(component, previous: nil, in: scope)
    let region = Region(key: key, rendered: rendered, reads: reads, version: version)
    self.unused.insert(region, for: key, bytes: rendered.heapSize)
    return region
  }

  /// The page's regions: the root and, after each region, those that it nests.
  mutating func compose(
    _ root: RegionComponent,
    version: UInt64,
    in scope: RenderScope
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
  /// Brings all used regions of the scope's store to its snapshot.
  ///
  /// - Returns: Those that have changed since the last time.
  /// - Complexity: O(s) for the s selectors that are read, plus a render of each region that changes.
  mutating func update(to version: UInt64, in scope: RenderScope) -> [Region] {
    let store = scope.store.id
    var concerned: [Region.Key: Region] = [:]
    for readers in (self.readers[store] ?? [:]).values {
      let changes = readers.memo.update(with: scope.snapshot, counting: scope.counters)
      guard changes != readers.changes else { continue }
      readers.changes = changes
      concerned.merge(readers.regions) { region, _ in region }
    }
    for region in concerned.values {
      self.update(region, to: version, in: scope)
    }
    self.versions[store] = version
    return self.changed.removeValue(forKey: store).map { Array($0.values) } ?? []
  }

  private mutating func update(_ region: Region, to version: UInt64, in scope: RenderScope) {
    var current = region.version
    if region.places.isEmpty == false {
      current = max(current, self.versions[region.key.store] ?? 0)
    }
    guard current < version || region.isOutdated else { return }
    if region.isOutdated == false, Self.isCurrent(region, in: scope) {
      region.version = version
    } else {
      self.render(region, version: version, in: scope)
    }
  }

  private mutating func render(_ region: Region, version: UInt64, in scope: RenderScope) {
    let old = region.rendered
    let (new, reads) = RenderContext.render(region.key.component, previous: old, in: scope)
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
      self.bytesInUse += new.heapSize - old.heapSize
      self.changed[region.key.store, default: [:]][region.key] = region
    } else {
      self.unused.insert(region, for: region.key, bytes: new.heapSize)
    }
  }

  private static func isCurrent(_ region: Region, in scope: RenderScope) -> Bool {
    // Every selector is asked, so that each has seen every version.
    region.reads.reduce(true) { isCurrent, read in
      read.memo.update(with: scope.snapshot, counting: scope.counters) == read.changes && isCurrent
    }
  }
}

// Use.
extension RegionCache {
  /// A place shows a region.
  mutating func use(_ region: Region, at place: PlaceID) {
    if region.places.isEmpty {
      self.unused.removeValue(for: region.key)
      self.used[region.key] = region
      self.bytesInUse += region.rendered.heapSize
      self.startReading(region)
    }
    region.places.insert(place)
  }

  /// A place does not show a region any more.
  mutating func giveUp(_ region: Region, at place: PlaceID) {
    guard region.places.remove(place) != nil, region.places.isEmpty else { return }
    self.used[region.key] = nil
    self.changed[region.key.store]?[region.key] = nil
    self.bytesInUse -= region.rendered.heapSize
    self.stopReading(region)
    region.version = max(region.version, self.versions[region.key.store] ?? 0)
    self.unused.insert(region, for: region.key, bytes: region.rendered.heapSize)
  }

  private mutating func startReading(_ region: Region) {
    for read in region.reads {
      let (store, id) = (region.key.store, ObjectIdentifier(read.memo))
      let readers = self.readers[store]?[id] ?? Readers(read)
      readers.regions[region.key] = region
      self.readers[store, default: [:]][id] = readers
    }
  }

  private mutating func stopReading(_ region: Region) {
    for read in region.reads {
      let id = ObjectIdentifier(read.memo)
      self.readers[region.key.store]?[id]?.regions[region.key] = nil
      if self.readers[region.key.store]?[id]?.regions.isEmpty == true {
        self.readers[region.key.store]?[id] = nil
      }
    }
  }
}
