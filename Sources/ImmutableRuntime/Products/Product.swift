import HTMLTemplates
import ImmutableData
import ImmutableUI
import Synchronization

/// A product: a store with its pages, and the places that windows show.
///
/// It renders pages, and makes a frame after every action. In a frame, each affected selector runs
/// once, each changed region renders once, and each difference is computed once; all windows at a
/// place get the same bytes. It works on snapshots, so it runs concurrently with the main actor,
/// where actions are reduced, and with other products: a slow product delays no other.
actor Product<State: StoreState>: AnyProduct {
  typealias Snapshot = StoreSnapshot<State, State.Action>
  typealias Place = ImmutableRuntime.Place<State>

  nonisolated let source: Store<State, State.Action>
  nonisolated let pages: [PagePath: any ProductPage<State>]
  nonisolated let effects: EffectLanes?
  nonisolated let prepare: (@Sendable () async -> Void)?
  nonisolated let context: ProductContext
  nonisolated let submissions = Submissions()
  nonisolated let postBacklog: PostBacklog
  private nonisolated let newestTemplates: Mutex<Result<TemplateSet, any Error>>
  /// The version before each post that is in progress. Bounded by the number of requests.
  nonisolated let posts = Mutex<[Identifier: UInt64]>([:])
  /// The pages at which something was posted: their data was fetched before that.
  nonisolated let loadedPages = Mutex<Set<PagePath>>([])

  // Rendering.
  nonisolated let turns: Turns
  let memos = MemoTable()
  var regions: RegionCache
  var held = HeldRenders()
  var drafts = Drafts()
  var outcomes = Outcomes<State>()
  var toasts = Toasts<State>()
  nonisolated let sharedToasts = SharedToasts<State>()

  // Windows.
  nonisolated let journal = PlaceJournal()
  nonisolated let costs = Followers<FrameCost>()
  /// Pages in other states than the present one, while developers look at some.
  nonisolated let pastRenderer = Mutex<StillRenderer<State>?>(nil)
  var places: PlaceTable<State>

  // Requests that wait for a change.
  /// Bounded by the number of requests.
  var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
  var waits = (begun: 0, ended: 0)
  /// Wakes them after each action, while there are any.
  var waking: Task<Void, Never>?

  // Frames.
  var framedVersion: UInt64 = 0
  var normalizedVersion: UInt64 = 0
  /// The present states of the last frame, and of the last time that all places were normalized.
  var framedState: State
  var normalizedState: State
  /// The submissions that have ended since the last frame. Bounded by the posts since then and the
  /// submissions that were pending (``Outcomes``).
  var endedSubmissions: [String] = []
  /// The toasts that follow the next frame. Bounded like ``endedSubmissions``.
  var announcements: [Toasts<State>.Announcement] = []
  /// Bounded by the posts since the last frame.
  var owedVersions: [(window: Post.Window, version: UInt64)] = []
  var lastFrame: ContinuousClock.Instant?
  /// The times of the frame that is being made, if its cost is observed.
  var times: FrameTimes?
  var latency = PushLatency()

  init(_ declaration: some ProductDeclaration<State>, context: ProductContext) {
    self.source = declaration.store
    self.framedState = declaration.store.snapshot().state
    self.normalizedState = self.framedState
    self.pages = Dictionary(declaration.pages.map { ($0.path, $0) }) { $1 }
    self.effects = declaration.effects
    self.prepare = declaration.prepare
    self.context = context
    self.newestTemplates = Mutex(context.templates)
    self.postBacklog = PostBacklog(
      posts: context.configuration.backlog, bytes: context.configuration.backlogBytes)
    self.turns = Turns(patience: context.configuration.turnTimeout)
    self.regions = RegionCache(
      limit: context.configuration.unusedRenderBytes, budget: context.budget)
    self.places = PlaceTable(ids: context.placeIDs, journal: self.journal)
  }

  /// In development they can be replaced by new templates, or by the error if one does not compile.
  nonisolated var templates: Result<TemplateSet, any Error> {
    get { self.newestTemplates.withLock { $0 } }
    set { self.newestTemplates.withLock { $0 = newValue } }
  }

  nonisolated var name: String { "\(State.self)" }
  nonisolated var store: ObjectIdentifier { ObjectIdentifier(self.source) }
  nonisolated var isPart: Bool {
    self.source.isRoot == false || self.context.scopedRoots.contains(self.source.root) == false
  }
  nonisolated var version: UInt64 { self.source.snapshot().version }
  nonisolated var rootVersion: UInt64 { self.source.rootVersion }
  nonisolated var backlog: Int { self.source.backlog }

  var cachedRegionCount: Int { self.regions.count }
  var memoCount: Int { self.memos.count }

  var size: ProductSize {
    ProductSize(places: self.places.count, caches: self.cacheSizes)
  }

  private var cacheSizes: [CacheSize] {
    let submissions = self.submissions.size
    return [
      CacheSize(name: "submissions", count: submissions.count, bytes: submissions.bytes),
      CacheSize(name: "drafts", count: self.drafts.count, bytes: self.drafts.bytes),
      CacheSize(name: "outcomes", count: self.outcomes.count, bytes: self.outcomes.bytes),
      CacheSize(
        name: "toasts",
        count: self.toasts.count + self.sharedToasts.count,
        bytes: self.toasts.bytes + self.sharedToasts.bytes
      ),
      CacheSize(name: "held_renders", count: self.held.count, bytes: self.held.bytes),
      CacheSize(
        name: "unused_renders", count: self.regions.countUnused, bytes: self.regions.bytesUnused),
      CacheSize(
        name: "used_renders", count: self.regions.countInUse, bytes: self.regions.bytesInUse),
      CacheSize(name: "selectors", count: self.memos.count, bytes: 0),
    ]
  }
}

extension Product {
  /// The forms that can be posted, by name, with the names of their fields.
  nonisolated var forms: [String: [String]] {
    (try? self.templates.get())?.formFields(of: State.Action.self) ?? [:]
  }

  nonisolated func pictureLimit(form: String, field: String) -> Int? {
    self.form(form)?.pictureLimits[field]
  }

  nonisolated func form(_ name: String) -> Form<State.Action>? {
    (try? self.templates.get())?.form(name, of: State.Action.self)
  }

  nonisolated var acceptsPictures: Bool {
    (try? self.templates.get())?.hasPictures(of: State.Action.self) ?? false
  }

  nonisolated var configuration: WindowGroup.Configuration { self.context.configuration }

  /// The page at a path of this product. The group never asks for the page of another product.
  nonisolated func page(at path: PagePath) -> any ProductPage<State> {
    guard let page = self.pages[path] else {
      preconditionFailure("\(self.name) was asked for the page of another product, \(path.text)")
    }
    return page
  }

  /// The assets that the components of the place's page need.
  func assets(of place: Place) -> [Asset] {
    self.context.assets[place.location.path] ?? []
  }

  /// The newest snapshot, taken so that it can be passed to ``normalize(_:in:)``.
  func snapshot() -> Snapshot {
    let newest = self.source.snapshot()
    self.updateOutcomes(to: newest)
    return newest
  }

  /// The location with its local state normalized: ended submissions are applied, then the state.
  ///
  /// - Parameters:
  ///   - snapshot: No newer than the outcomes; see ``snapshot()``.
  ///   - old: The state that its windows have shown before, if any.
  func normalize(
    _ location: any Location<State>,
    in snapshot: Snapshot,
    after old: State? = nil
  ) -> any Location<State> {
    var location = location
    for name in location.submissions {
      let outcome = self.outcomes[name]
      if outcome != .waiting { location = location.settled(name, outcome) }
    }
    return location.normalized(in: snapshot.state, after: old)
  }
}
