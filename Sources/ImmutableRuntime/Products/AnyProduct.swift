import Foundation
import ImmutableData
import ImmutableUI
import Logging

/// The objects that all products of a window group share.
struct ProductContext: Sendable {
  let configuration: WindowGroup.Configuration
  let templates: Result<TemplateSet, any Error>
  /// The assets that each page's components need, by the page's path.
  let assets: [PagePath: [Asset]]
  let counters: FrameCounters
  let budget: RenderBudget
  let unread: UnreadBudget
  let placeIDs: PlaceIDs
  let directory: WindowDirectory
  let outbox: Outbox
  /// The root stores that have their own pages. Nothing reads the actions of other root stores,
  /// only those of their scopes.
  let shownRoots: Set<ObjectIdentifier>
  /// The root stores that have scopes with pages.
  let scopedRoots: Set<ObjectIdentifier>
}

/// A posted form, and who posted it.
struct Post: Sendable {
  typealias Window = (id: Identifier, stream: Identifier)

  let fields: FormFields
  let route: Route
  let session: Identifier
  /// The network of the client that posted it, as of ``Requester``.
  let client: String
  let environment: WindowEnvironment
  /// The window that posted it, with its stream, if any. The window gets an event for the version.
  let window: Window?
  /// Whether the answer waits, for a limited time, until the effect has ended.
  let waits: Bool
  /// Counts it until its effects have ended.
  let backlogEntry: BacklogEntry

  /// The fields from which a form makes its action, with those that the server fills in.
  var completeFields: FormFields {
    get throws { try self.fields.posted(in: self.environment) }
  }
}

/// A request for a page.
struct PageRequest: Sendable {
  let route: Route
  let session: Identifier?
  let environment: WindowEnvironment
  /// The refused submission that this page answers.
  let refused: RefusedSubmission?
  /// The newest post of the browser, which the page shows.
  let receipt: PostReceipt?
  let requester: Requester
  /// Creates the token of one form.
  let makeToken: @Sendable () -> String
}

/// A request to show a page in a window.
struct WindowRequest: Sendable {
  let window: Identifier
  let session: Identifier
  let stream: Identifier
  /// Whether the window is new.
  let joins: Bool
  let route: Route
  /// The number that the window gave this navigation.
  let navigation: Int
  /// The tags of the regions that the window shows, by region; `nil` means what it was last sent.
  let tags: [String: String]?
  let environment: WindowEnvironment
}

/// The size of one cache.
struct CacheSize: Sendable {
  let name: String
  let count: Int
  let bytes: Int
}

/// What a product holds.
struct ProductSize: Sendable {
  var places = 0
  var caches: [CacheSize] = []
}

/// A product whose state type is erased: its pages, and the windows that show them.
protocol AnyProduct: Actor {
  nonisolated var name: String { get }
  /// The identity of the store.
  nonisolated var store: ObjectIdentifier { get }
  /// Whether its store is not the root of other products' stores.
  nonisolated var isPart: Bool { get }
  /// The forms that can be posted, by name, with the names of their fields.
  nonisolated var forms: [String: [String]] { get }
  /// Whether one of its forms has a field for pictures.
  nonisolated var acceptsPictures: Bool { get }
  /// The maximum size of a picture in a form's field, in bytes; `nil` if there is no such field.
  nonisolated func pictureLimit(form: String, field: String) -> Int?
  /// The store's newest version.
  nonisolated var version: UInt64 { get }
  /// The newest version of the store's root.
  nonisolated var rootVersion: UInt64 { get }
  /// How many actions the slowest listener is behind.
  nonisolated var backlog: Int { get }
  /// The posts whose effects have not ended.
  nonisolated var postBacklog: PostBacklog { get }
  nonisolated var effects: EffectLanes? { get }

  /// - Throws: ``WindowError``; nothing has changed.
  nonisolated func page(_ request: PageRequest) async throws -> PageAnswer
  nonisolated func submit(_ post: Post) async -> SubmissionAnswer

  /// Shows a page in a window and sends it whatever it is missing.
  ///
  /// - Throws: ``WindowError``; nothing has changed.
  nonisolated func show(_ request: WindowRequest, _ requester: Requester) async throws
  /// Shows a page again in a window that missed an event.
  func showAgain(_ window: Identifier, tags: [String: String])
  /// Tells a window the end of a submission of its session, unless that window was told before.
  func tellEnd(of key: SubmissionKey, _ session: Identifier, to window: Post.Window)
  /// Forgets a window, unless it has returned to this product since.
  ///
  /// - Parameter moves: The window's move count when it was here; `nil` if the window has closed.
  func forget(_ window: Identifier, since moves: Int?)

  /// Pushes frames as the store changes, until the task is cancelled.
  nonisolated func run() async
  /// Brings every window to the newest state.
  func frame()
  /// Periodic work; see ``WindowGroup/tick(now:)``.
  func tick(_ now: ContinuousClock.Instant)
  func use(_ templates: Result<TemplateSet, any Error>)
  nonisolated var templates: Result<TemplateSet, any Error> { get }

  // For tests.
  nonisolated func auditSelectors(of visits: [(route: Route, environment: WindowEnvironment)])

  // For developers.
  nonisolated func record(
    _ body: @escaping @MainActor @Sendable (ProductDispatch) -> Void,
    didSkip: @escaping @MainActor @Sendable (any Sendable, _ version: UInt64) -> Void
  ) async
  nonisolated var journal: PlaceJournal { get }
  nonisolated var costs: Followers<FrameCost> { get }
  /// Reads an action from JSON; `nil` if its actions are not `Decodable`.
  nonisolated func action(json: Data) throws -> DecodedAction?
  nonisolated func part(of root: any Sendable) -> (any Sendable)?
  nonisolated func page(
    _ route: Route, in state: any Sendable, _ environment: WindowEnvironment,
    _ inspection: PageInspection
  ) -> PageContent?
  nonisolated func causes(
    _ route: Route, of dispatch: Dispatch<any Sendable, any Sendable>,
    _ environment: WindowEnvironment
  ) -> [RegionCause]?
  nonisolated func causes(
    _ route: Route, in state: any Sendable, _ environment: WindowEnvironment
  ) -> [RegionCause]?
  nonisolated func tag(
    of region: String, _ route: Route, in state: any Sendable, _ environment: WindowEnvironment
  ) -> Tag?
  nonisolated func past(in state: any Sendable) -> (any PastProduct)?
  nonisolated func url(
    _ route: Route, _ environment: WindowEnvironment, redacted pseudonym: (String) -> String
  ) -> String
  nonisolated var state: any Sendable { get }
  var shownWindows: [ShownWindow] { get }

  nonisolated var turns: Turns { get }
  var framedVersion: UInt64 { get }
  var cachedRegionCount: Int { get }
  var memoCount: Int { get }
  var size: ProductSize { get }
}
