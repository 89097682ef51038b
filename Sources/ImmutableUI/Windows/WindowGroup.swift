public import HTMLTemplates
import ImmutableData
public import Logging

/// All pages, and all windows that show them.
///
/// It renders pages, lets windows in, and after every action makes a frame: each selector that is
/// concerned runs once, each region that changed renders once, each difference is worked out once,
/// and the windows at a place get the same bytes. It works on snapshots; on the main
/// actor are forms made actions, checked and reduced, and windows' next local state is worked out.
///
/// ```swift
/// let windows = try WindowGroup(templates: TemplateLibrary(directory: "Templates")) {
///   Provider(store) {
///     Page(Content.self, at: "/counter", title: "Counter")
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
    /// How many windows there may be in all.
    public var windows: Int
    /// How many windows a session may have.
    public var windowsPerSession: Int
    /// How many streams there may be in all.
    public var streams: Int
    /// How many streams a session may have.
    public var streamsPerSession: Int
    /// How many streams an address may have.
    public var streamsPerAddress: Int
    /// How many bytes the renders may take that windows show.
    public var renderBytes: Int
    /// How many bytes the renders may take that no window shows, so that a page need not be rendered again.
    public var unusedRenderBytes: Int
    /// How many actions the slowest listener may be behind, and effects be under way, together,
    /// before posts are refused.
    public var backlog: Int
    /// How long a page waits for what it needs first.
    public var appearTimeout: Duration
    /// How long a post without JavaScript waits for its effect.
    public var effectTimeout: Duration
    /// Where log messages go.
    public var logger: Logger
    /// Work out again whatever was not, and report differences: for tests and development.
    public var isAuditing: Bool

    public init(
      frameInterval: Duration = .milliseconds(16),
      windows: Int = 100_000,
      windowsPerSession: Int = 1_000,
      streams: Int = 20_000,
      streamsPerSession: Int = 64,
      streamsPerAddress: Int = 5_000,
      renderBytes: Int = 512 << 20,
      unusedRenderBytes: Int = 16 << 20,
      backlog: Int = 10_000,
      appearTimeout: Duration = .seconds(1),
      effectTimeout: Duration = .seconds(2),
      logger: Logger = Logger(label: "windows"),
      isAuditing: Bool = false
    ) {
      self.frameInterval = frameInterval
      self.windows = windows
      self.windowsPerSession = windowsPerSession
      self.streams = streams
      self.streamsPerSession = streamsPerSession
      self.streamsPerAddress = streamsPerAddress
      self.renderBytes = renderBytes
      self.unusedRenderBytes = unusedRenderBytes
      self.logger = logger
      self.backlog = backlog
      self.appearTimeout = appearTimeout
      self.effectTimeout = effectTimeout
      self.isAuditing = isAuditing
    }
  }

  /// Where the hubs' orders go. Called in order, from one task at a time.
  public typealias Send = @Sendable ([Order]) -> Void

  /// Distinguishes this run from those before a restart.
  public nonisolated let boot = Identifier()
  public nonisolated let configuration: Configuration
  nonisolated let pages: [String: ProvidedPage]

  nonisolated let stores: Set<StoreSource>
  nonisolated let effects: [EffectLanes]
  nonisolated let counters: FrameCounters
  nonisolated let submissions = Submissions()
  let makeTemplates: @Sendable () throws -> TemplateSet
  var send: Send = { _ in }

  // What rendering works with.
  var templates: Result<TemplateSet, any Error>
  var memos = MemoTable()
  var regions: RegionCache
  var held = HeldRenders()
  var drafts = Drafts()
  var outcomes = Outcomes()

  // Who is where.
  var registry = WindowRegistry()
  var places = PlaceTable()

  // Frames.
  var framedVersions: [ObjectIdentifier: UInt64] = [:]
  var normalizedVersions: [ObjectIdentifier: UInt64] = [:]
  /// By store, those since the last frame.
  var endedSubmissions: [ObjectIdentifier: [String]] = [:]
  /// Of each post that is under way, the version of the root before it: as many as requests.
  var posts: [Identifier: UInt64] = [:]
  var owedVersions: [(store: ObjectIdentifier, stream: Identifier, version: UInt64)] = []
  var lastFrame: ContinuousClock.Instant?
  var isFrameDue = false
  var metrics = WindowMetrics()

  /// - Parameters:
  ///   - templates: Where the template files are.
  ///   - configuration: Limits and pace.
  ///   - providers: Stores with their pages; paths are unique. All stores are scopes of one: versions of
  ///     several have nothing to do with each other.
  /// - Throws: ``WindowError`` for several stores, `TemplateError` for the first template that does not
  ///   compile.
  public init(
    templates: TemplateLibrary,
    configuration: Configuration = Configuration(),
    @ProviderBuilder<Provider> providers: @Sendable () -> [Provider]
  ) throws {
    let providers = providers()
    let pages = providers.flatMap(\.pages)
    self.pages = Dictionary(uniqueKeysWithValues: pages.map { ($0.path, $0) })
    self.stores = Set(pages.map(\.store))
    guard Set(pages.map(\.store.root)).count <= 1 else {
      throw WindowError(
        code: .severalStores,
        message: "The pages are of several stores. Make one, and give each page a scope of it: "
          + "store.scope(state:action:extract:)."
      )
    }
    self.effects = providers.compactMap(\.effects)
    self.configuration = configuration
    self.regions = RegionCache(limit: configuration.unusedRenderBytes)
    self.counters = FrameCounters(
      isAuditing: configuration.isAuditing,
      logger: configuration.logger
    )
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
