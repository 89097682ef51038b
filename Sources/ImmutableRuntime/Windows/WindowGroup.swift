public import HTMLTemplates
import ImmutableData
public import ImmutableUI
public import Logging
import Synchronization

/// All pages and all windows that show them: the entry point for a server.
///
/// It routes each request to its product. The ``Product`` renders, reduces and makes frames; the
/// ``WindowDirectory`` knows which windows there are; everything to be sent goes through the
/// ``Outbox``.
///
/// ```swift
/// let windows = try WindowGroup(templates: TemplateLibrary(directory: "Templates")) {
///   Provider(store) {
///     Page(Content.self, at: "/counter", title: "Counter")
///   }
/// }
/// ```
///
/// Source: the guide, chapter Counter.app, whose `WindowGroup` it replaces.
public final class WindowGroup: Sendable {
  /// The limits of a window group, and how often it pushes.
  public struct Configuration: Sendable {
    /// The minimum time between two frames.
    public var frameInterval = Duration.milliseconds(16)
    /// The maximum number of windows in all.
    public var windows = 100_000
    /// The maximum number of windows per session.
    public var windowsPerSession = 1_000
    /// The maximum number of windows per client network: an IPv4 address, or an IPv6 network of 64
    /// bits.
    public var windowsPerNetwork = 20_000
    /// The maximum number of streams in all.
    public var streams = 20_000
    /// The maximum number of streams per session.
    public var streamsPerSession = 64
    /// The maximum number of streams per client network.
    public var streamsPerNetwork = 5_000
    /// The maximum size of the renders that windows show, in bytes.
    public var renderBytes = 512 << 20
    /// The maximum size of the renders that no window shows, in bytes. They are kept so that a page
    /// need not be rendered again.
    public var unusedRenderBytes = 16 << 20
    /// The maximum size of the pages and events that clients have not read yet, in bytes.
    public var unreadBytes = 256 << 20
    /// The maximum number of posts in each product's backlog: those whose effects have not ended,
    /// or whose actions a listener has not finished. One client network may have a quarter of them.
    /// Further posts are refused.
    public var backlog = 10_000
    /// The maximum size of the posts in each product's backlog, in bytes. One client network may
    /// have a quarter of it. Further posts are refused.
    public var backlogBytes = 64 << 20
    /// How long a page waits for its turn while others are rendered; see ``Requester``.
    public var turnTimeout = Duration.seconds(5)
    /// How long a page waits for the data that it fetches when it appears.
    public var appearTimeout = Duration.seconds(1)
    /// How long a post without JavaScript waits for its effect.
    public var effectTimeout = Duration.seconds(2)
    /// Where log messages go.
    public var logger = Logger(label: "windows")
    /// Whether to recompute everything that was reused and report differences. For tests and
    /// development.
    public var isAuditing = false

    public init() {}
  }

  /// Receives the commands for the hubs. It is called in order, from one thread at a time.
  public typealias Send = @Sendable ([HubCommand]) -> Void

  /// Returns the status of the streams of all hubs.
  public typealias Reports = @Sendable () async -> [Identifier: StreamReport]

  /// Distinguishes this run of the process from earlier ones.
  public let boot = Identifier()
  public let configuration: Configuration
  /// What clients have not read yet.
  public let unread: UnreadBudget
  /// The path and label of each page in the navigation, in the order in which the pages are
  /// provided.
  public let links: [(path: String, label: String)]
  /// The paths of the pages, as they are declared.
  public var paths: [String] { self.assetsByPath.keys.map(\.text).sorted() }
  /// The assets that each page's components need, by the page's path.
  let assetsByPath: [PagePath: [Asset]]
  let routes: Routes
  /// In the order of the providers.
  let allProducts: [any AnyProduct]
  private let survey: ProductSurvey
  let directory = WindowDirectory()
  let outbox = Outbox()
  /// Followers of visits that replay them, and followers that show them to developers.
  let replayedVisits = Followers<Visit>()
  let shownVisits = Followers<Visit>()
  /// The networks that developers simulate.
  public let networks = Networks()
  private let counters: FrameCounters
  private let metrics = WindowMetrics()
  private let makeTemplates: @Sendable () throws -> TemplateSet

  /// - Parameters:
  ///   - templates: Where the template files are.
  ///   - configuration: Limits and push interval.
  ///   - providers: Stores with their pages. No two pages may answer the same path, and each store
  ///     may be given only once, so that every action belongs to one product. The versions of two
  ///     stores are unrelated, unless both are scopes of one store.
  /// - Throws: ``WindowError`` if the stores or paths conflict, `TemplateError` for the first
  ///   template that does not compile or that links to a page which is not provided.
  public init(
    templates: TemplateLibrary,
    configuration: Configuration = Configuration(),
    @ProviderBuilder providers: @Sendable () -> [Provider]
  ) throws {
    let declarations = providers().map(\.declaration)
    let pages = declarations.flatMap { $0.pages as [any ProductPage] }
    let set = TemplateSet(library: templates)
    self.assetsByPath = try Dictionary(pages.map { ($0.path, try $0.prepare(set)) }) { $1 }
    let paths = pages.map(\.path)
    try set.checkLinks(to: paths)
    self.links = pages.compactMap { page in
      guard let path = page.path.withoutParameters else { return nil }
      return page.navigationLabel.map { (path, $0) }
    }
    self.unread = UnreadBudget(limit: configuration.unreadBytes)
    let counters = FrameCounters(
      isAuditing: configuration.isAuditing, logger: configuration.logger)
    let context = ProductContext(
      configuration: configuration,
      templates: .success(set),
      assets: self.assetsByPath,
      counters: counters,
      budget: RenderBudget(
        limit: configuration.renderBytes, products: declarations.count),
      unread: self.unread,
      placeIDs: PlaceIDs(),
      directory: self.directory,
      outbox: self.outbox,
      shownRoots: Set(declarations.filter(\.isRoot).map(\.root)),
      scopedRoots: Set(declarations.filter { $0.isRoot == false }.map(\.root))
    )
    self.allProducts = declarations.map { $0.makeProduct(context) }
    self.survey = ProductSurvey(of: self.allProducts)
    self.routes = try Routes(
      zip(declarations, self.allProducts).flatMap { declaration, product in
        (declaration.pages as [any ProductPage]).map { ($0, product) }
      })
    self.configuration = configuration
    self.counters = counters
    self.makeTemplates = {
      let set = TemplateSet(library: templates)
      for page in pages { _ = try page.prepare(set) }
      try set.checkLinks(to: paths)
      return set
    }
    try self.refuseStoresGivenTwice()
  }

  private func refuseStoresGivenTwice() throws {
    guard Set(self.allProducts.map(\.store)).count == self.allProducts.count else {
      throw WindowError(
        code: .storeGivenTwice,
        message: "A store is given to pages twice. Put all pages of a store into one Provider."
      )
    }
  }

  /// Sets where commands go. Call it once, before the first window joins.
  ///
  /// - Parameters:
  ///   - reports: Returns the status of the streams, for developers.
  ///   - send: Receives the commands.
  public func connect(reports: @escaping Reports = { [:] }, _ send: @escaping Send) {
    self.outbox.connect(reports: reports, send)
  }

  /// The counts of rendering since the start.
  public var counts: RenderCounts {
    self.counters.current
  }

  /// Removes and returns what audits found since the last call (``Configuration/isAuditing``).
  public func takeAuditFindings() -> [String] {
    self.counters.takeFindings()
  }
}

extension ProductDeclaration {
  /// Whether its store is not a scope of another.
  fileprivate var isRoot: Bool { self.store.isRoot }
  fileprivate var root: ObjectIdentifier { self.store.root }

  fileprivate func makeProduct(_ context: ProductContext) -> any AnyProduct {
    Product(self, context: context)
  }
}

// Frames.
extension WindowGroup {
  /// Makes frames as the stores change, until the task is cancelled. Products do not wait for each
  /// other.
  public func run() async {
    await withTaskGroup { group in
      for product in self.allProducts {
        group.addTask { await product.run() }
      }
    }
  }

  /// Updates every window to the newest state.
  public func frame() async {
    for product in self.allProducts { await product.frame() }
  }

  /// Does periodic work every second, until the task is cancelled: evicts unused renders, and
  /// normalizes places whose local state depends on state that they do not show. Products do not
  /// wait for each other.
  ///
  /// - Complexity: O(p) each time, for the p places of stores that have changed.
  public func runTicks() async {
    await withTaskGroup { group in
      for product in self.allProducts {
        group.addTask {
          while (try? await Task.sleep(for: .seconds(1))) != nil { await product.tick(.now) }
        }
      }
    }
  }

  /// Does the periodic work of ``runTicks()`` once.
  func tick(now: ContinuousClock.Instant) async {
    for product in self.allProducts { await product.tick(now) }
  }

  /// Compiles the templates again, for development. Every window shows the new ones, or the error.
  ///
  /// - Returns: The error, if one does not compile.
  @discardableResult
  public func reloadTemplates() async -> (any Error)? {
    let templates = Result<TemplateSet, any Error>(catching: self.makeTemplates)
    for product in self.allProducts { await product.use(templates) }
    if case .failure(let error) = templates { return error }
    return nil
  }
}

// Effects.
extension WindowGroup {
  /// Waits until no post and no effect is in progress, and every listener has seen every action.
  ///
  /// - Parameter limit: The maximum time to wait.
  /// - Returns: Whether that was reached in time.
  public func finishEffects(within limit: Duration) async -> Bool {
    let deadline = ContinuousClock.now + limit
    while ContinuousClock.now < deadline, Task.isCancelled == false {
      if await self.isIdle { return true }
      try? await Task.sleep(for: .milliseconds(10))
    }
    return false
  }

  /// The names of the effects that have not ended, sorted.
  @MainActor public var effectNames: [String] {
    let lanes = self.allProducts.compactMap { $0.effects }.map { (ObjectIdentifier($0), $0) }
    return Dictionary(lanes) { first, _ in first }.values.flatMap { $0.names }.sorted()
  }

  /// Whether no post or effect is in progress, and no effect is about to begin. It runs on the main
  /// actor, where actions are dispatched and effects begin, so nothing can happen between the checks.
  @MainActor private var isIdle: Bool {
    self.allProducts.allSatisfy {
      $0.postBacklog.count == 0 && $0.backlog == 0 && ($0.effects?.count ?? 0) == 0
    }
  }

  /// Adds a post to the backlog of its product.
  ///
  /// - Throws: ``WindowError`` if the backlog is too long; nothing has changed.
  func backlogEntry(
    of fields: FormFields,
    from requester: Requester,
    in product: any AnyProduct
  ) throws -> BacklogEntry {
    guard let entry = product.postBacklog.add(fields.heapSize, from: requester.network) else {
      throw WindowError(
        code: .overloaded,
        message: "The server is busy. Nothing has changed; try again in a moment."
      )
    }
    return entry
  }
}

// Metrics.
extension WindowGroup {
  /// Reports the current values of all metrics.
  ///
  /// - Parameter limit: How long products may take to say what they hold. Of a busy product, what it
  ///   last said is reported.
  /// - Returns: The names of the busy products.
  @discardableResult
  public func reportMetrics(within limit: Duration = .seconds(1)) async -> [String] {
    let busy = await self.survey.ask(within: limit)
    for product in self.allProducts {
      self.metrics.report(product.name, isBusy: busy.contains(product.name))
    }
    let sizes = self.survey.sizes
    var caches: [String: (count: Int, bytes: Int)] = [:]
    for cache in sizes.flatMap(\.caches) {
      caches[cache.name, default: (0, 0)].count += cache.count
      caches[cache.name, default: (0, 0)].bytes += cache.bytes
    }
    for (name, size) in caches {
      self.metrics.report(name, count: size.count, bytes: size.bytes)
    }
    self.metrics.report(
      self.counts,
      windows: self.windowCount,
      streams: self.streamCount,
      places: sizes.reduce(0) { $0 + $1.places },
      waiting: self.allProducts.map(\.turns.waitingCount).reduce(0, +),
      unread: self.unread.bytes
    )
    return busy
  }

  /// The number of regions whose newest render is kept.
  package var cachedRegionCount: Int {
    get async { await self.sum { await $0.cachedRegionCount } }
  }

  package var memoCount: Int {
    get async { await self.sum { await $0.memoCount } }
  }

  private func sum(_ count: (any AnyProduct) async -> Int) async -> Int {
    var sum = 0
    for product in self.allProducts { sum += await count(product) }
    return sum
  }

  /// The version up to which a store's windows have been updated.
  func framedVersion(of store: ObjectIdentifier) async -> UInt64? {
    await self.allProducts.first { $0.store == store }?.framedVersion
  }
}
