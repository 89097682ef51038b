public import HTMLTemplates
import ImmutableData

/// All pages, and all windows that show them.
///
/// It renders pages, lets windows in, and after every action makes a frame: each selector that is
/// concerned runs once, each region that changed renders once, each difference is worked out once,
/// and the windows at a place get the same bytes. It works on snapshots; the main actor only reduces.
///
/// ```swift
/// let windows = try WindowGroup(templates: TemplateLibrary(directory: "Templates")) {
///   Provider(store) {
///     Page(Content.self, at: "/counter", title: "Counter", forms: [Content.increment])
///   }
/// }
/// ```
///
/// Source: the guide, chapter Counter.app, whose `WindowGroup` it stands for.
public actor WindowGroup {
  /// What a window group may hold at most, and how fast it pushes.
  public struct Configuration: Sendable {
    /// The least time between two frames under load.
    public var frameInterval: Duration
    /// How many windows a session may have.
    public var windowsPerSession: Int
    /// How many streams there may be in all.
    public var streams: Int
    /// How many actions the slowest listener may be behind before posts are refused.
    public var backlog: Int
    /// Work out again whatever was not, and report differences: for tests.
    public var isAuditing: Bool

    public init(
      frameInterval: Duration = .milliseconds(16),
      windowsPerSession: Int = 1_000,
      streams: Int = 20_000,
      backlog: Int = 10_000,
      isAuditing: Bool = false
    ) {
      self.frameInterval = frameInterval
      self.windowsPerSession = windowsPerSession
      self.streams = streams
      self.backlog = backlog
      self.isAuditing = isAuditing
    }
  }

  /// Where the hubs' orders go. Called in order, from one task at a time.
  public typealias Send = @Sendable ([Order<[UInt8]>]) -> Void

  /// Distinguishes this run from those before a restart.
  public nonisolated let boot = Identifier()
  public nonisolated let configuration: Configuration
  nonisolated let pages: [String: ProvidedPage]

  private nonisolated let stores: Set<StoreSource>
  nonisolated let counters: FrameCounters
  nonisolated let submissions = Submissions()
  private let makeTemplates: @Sendable () throws -> TemplateSet
  var send: Send = { _ in }

  // What rendering works with.
  private var templates: Result<TemplateSet, any Error>
  private var memos = MemoTable()
  private var regions = RegionCache()
  private var held = HeldRenders()

  // Who is where.
  var registry = WindowRegistry()
  var places = PlaceTable()

  // Frames.
  private var framedVersions: [ObjectIdentifier: UInt64] = [:]
  private var owedVersions: [(store: ObjectIdentifier, stream: Identifier, version: UInt64)] = []
  private var lastFrame: ContinuousClock.Instant?
  private var isFrameDue = false

  /// - Parameters:
  ///   - templates: Where the template files are.
  ///   - configuration: Limits and pace.
  ///   - providers: Stores with their pages; paths are unique.
  /// - Throws: `TemplateError` for the first template that does not compile.
  public init(
    templates: TemplateLibrary,
    configuration: Configuration = Configuration(),
    @ProviderBuilder<Provider> providers: @Sendable () -> [Provider]
  ) throws {
    let pages = providers().flatMap(\.pages)
    self.pages = Dictionary(uniqueKeysWithValues: pages.map { ($0.path, $0) })
    self.stores = Set(pages.map(\.store))
    self.configuration = configuration
    self.counters = FrameCounters(isAuditing: configuration.isAuditing)
    self.makeTemplates = {
      let set = TemplateSet(library: templates)
      for page in pages {
        try page.prepare(set)
      }
      return set
    }
    self.templates = .success(try self.makeTemplates())
  }

  /// Says where orders go. Call it once, before the first window joins.
  public func connect(_ send: @escaping Send) {
    self.send = send
  }

  /// What rendering has done since the start.
  public nonisolated var counts: RenderCounts {
    self.counters.current
  }

  /// What audits found since the last time (``Configuration/isAuditing``).
  public nonisolated func takeAuditFindings() -> [String] {
    self.counters.takeFindings()
  }
}

// Frames.
extension WindowGroup {
  /// Makes frames as the stores change, until the task is cancelled.
  public nonisolated func run() async {
    await withTaskGroup { group in
      for store in self.stores {
        group.addTask {
          for await _ in await store.makeSignal() {
            await self.frameWhenDue()
          }
        }
      }
    }
  }

  /// Makes a frame: at once when the last was long ago, else when the interval has passed.
  private func frameWhenDue() async {
    guard self.isFrameDue == false else { return }
    if let last = self.lastFrame {
      let wait = self.configuration.frameInterval - (ContinuousClock.now - last)
      if wait > .zero {
        self.isFrameDue = true
        try? await Task.sleep(for: wait)
        self.isFrameDue = false
      }
    }
    self.frame()
  }

  /// Brings every window to the newest state of the stores that changed.
  public func frame() {
    self.lastFrame = .now
    var orders: [Order<[UInt8]>] = []
    for store in self.stores {
      let (version, snapshot) = store.snapshot()
      guard self.framedVersions[store.id] != version else { continue }
      self.framedVersions[store.id] = version
      var patches = PatchCache(counters: self.counters)
      for place in self.places.of(store) {
        orders += self.advance(place, to: version, snapshot, &patches)
      }
    }
    orders += self.takeOwedVersions()
    if orders.isEmpty == false {
      self.counters.add(\.frames)
      self.send(orders)
    }
    self.sweep()
  }

  /// Brings one place to a version.
  private func advance(
    _ place: Place,
    to version: UInt64,
    _ snapshot: any Sendable,
    _ patches: inout PatchCache
  ) -> [Order<[UInt8]>] {
    let location = place.page.normalize(place.location.query, snapshot)
    if location.query != place.location.query {
      return [self.move(place, to: location, version, snapshot, &patches)]
    }
    let old = place.composition
    guard let new = self.compose(place, version, snapshot) else { return [] }
    let event = EventWriter.frame(
      place: place.id,
      version: version,
      patches: patches.patches(to: new) { old.rendered($0.name) }
    )
    return [
      .frame(Frame(place: place.id, version: version, from: old, to: new, payload: event))
    ]
  }

  /// Takes everybody at a place to where its normalised local state is.
  private func move(
    _ place: Place,
    to location: Location,
    _ version: UInt64,
    _ snapshot: any Sendable,
    _ patches: inout PatchCache
  ) -> Order<[UInt8]> {
    let old = place.composition
    let target = self.place(place.page, location, version, snapshot)
    self.registry.move(from: place.id, to: target)
    self.places.move(place, to: target)
    let event = EventWriter.move(
      place: place.id,
      to: target.id,
      version: version,
      location: location,
      title: place.page.title,
      patches: patches.patches(to: target.composition) { old.rendered($0.name) }
    )
    return .move(
      Move(
        place: place.id,
        to: target.id,
        version: version,
        from: old,
        composition: target.composition,
        payload: event
      )
    )
  }

  /// Makes sure that a stream gets an event for a version of a store, even if nothing that it shows
  /// has changed.
  func owe(_ version: UInt64, of store: StoreSource, to stream: Identifier) {
    self.owedVersions.append((store.id, stream, version))
    if self.framedVersions[store.id, default: 0] >= version {
      self.send(self.takeOwedVersions())
    }
  }

  private func takeOwedVersions() -> [Order<[UInt8]>] {
    let due = self.owedVersions.filter { self.framedVersions[$0.store, default: 0] >= $0.version }
    self.owedVersions.removeAll { self.framedVersions[$0.store, default: 0] >= $0.version }
    return due.map { owed in
      .version(
        Version(
          stream: owed.stream,
          version: owed.version,
          payload: EventWriter.version(owed.version)
        )
      )
    }
  }
}

// Rendering.
extension WindowGroup {
  /// The place of a location, at the version; windows that are there already are brought to it.
  func place(
    _ page: ProvidedPage,
    _ location: Location,
    _ version: UInt64,
    _ snapshot: any Sendable
  ) -> Place {
    if let place = self.places[location] {
      let old = place.composition
      if let new = self.compose(place, version, snapshot) {
        var patches = PatchCache(counters: self.counters)
        let event = EventWriter.frame(
          place: place.id,
          version: version,
          patches: patches.patches(to: new) { old.rendered($0.name) }
        )
        self.send([
          .frame(Frame(place: place.id, version: version, from: old, to: new, payload: event))
        ])
      }
      return place
    }
    let composition = self.composition(page, location, version, snapshot)
    return self.places.add(page: page, location: location, composition: composition)
  }

  /// - Returns: The place's new composition, or `nil` if nothing has changed.
  private func compose(
    _ place: Place,
    _ version: UInt64,
    _ snapshot: any Sendable
  ) -> Composition? {
    let new = self.composition(
      place.page,
      place.location,
      version,
      snapshot,
      old: place.composition
    )
    guard new !== place.composition else { return nil }
    self.held.hold(place.composition)
    place.composition = new
    return new
  }

  func composition(
    _ page: ProvidedPage,
    _ location: Location,
    _ version: UInt64,
    _ snapshot: any Sendable,
    old: Composition? = nil
  ) -> Composition {
    let regions: [Composition.Region]
    switch self.templates {
    case .success(let templates):
      let scope = RenderScope(
        store: page.store,
        snapshot: snapshot,
        memos: self.memos,
        templates: templates,
        counters: self.counters
      )
      regions = self.regions.compose(location.root, version: version, in: scope)
    case .failure(let error):
      regions = [Composition.Region(name: Composition.rootName, rendered: Rendered(error))]
    }
    if let old, old.isSame(as: regions) { return old }
    return Composition(regions: regions)
  }

  /// A render that a window may have, by its tag.
  func heldRender(_ tag: String) -> Rendered? {
    Tag(text: tag).flatMap { self.held[$0] }
  }

  func hold(_ composition: Composition) {
    self.held.hold(composition)
  }

  /// Forgets renders that nobody came back for. Call it every second or so.
  public func tick(now: ContinuousClock.Instant) {
    self.held.expire(now)
  }

  private func sweep() {
    if self.regions.sweep(keeping: { self.places.all.map(\.composition) }) {
      self.memos.sweep()
    }
  }

  /// Compiles the templates again, for development. Every window shows the new ones, or the error.
  ///
  /// - Returns: The error, if one does not compile.
  @discardableResult
  public func reloadTemplates() -> (any Error)? {
    self.templates = Result { try self.makeTemplates() }
    self.regions.removeAll()
    self.framedVersions.removeAll()
    self.frame()
    if case .failure(let error) = self.templates { return error }
    return nil
  }
}

extension Rendered {
  /// What a page shows whose templates do not compile, in development.
  fileprivate convenience init(_ error: any Error) {
    var writer = HTMLWriter()
    writer.write("<pre role=\"alert\" class=\"template-error\">")
    writer.escape("\(error)")
    writer.write("</pre>")
    self.init(writer)
  }
}
