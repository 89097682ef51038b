import ImmutableData
import ImmutableUI
import Logging

/// What the products of a window group share.
struct ProductContext: Sendable {
  let configuration: WindowGroup.Configuration
  let templates: Result<TemplateSet, any Error>
  /// What the components of each page bring, by path.
  let assets: [PagePath: [Asset]]
  let counters: FrameCounters
  let budget: RenderBudget
  let placeIDs: PlaceIDs
  let directory: WindowDirectory
  let outbox: Outbox
  /// Whether no page is of the store that all are scopes of: nobody looks at its actions.
  let releasesRoot: Bool
}

/// A form that was posted, and by whom.
struct Post: Sendable {
  let fields: FormFields
  let route: Route
  let session: Identifier
  let environment: WindowEnvironment
  /// That of the window that posted it: it gets an event for the version.
  let stream: Identifier?
  /// Whether the answer waits until the effect has ended, but not for long.
  let waits: Bool
}

/// A request for a page.
struct PageRequest: Sendable {
  let route: Route
  let session: Identifier?
  let environment: WindowEnvironment
  /// A submission that this page answers.
  let refused: RefusedSubmission?
  /// Mints the token of one form.
  let makeToken: @Sendable () -> String
}

/// A window that comes to a place.
struct WindowRequest: Sendable {
  let window: Identifier
  let session: Identifier
  let stream: Identifier
  /// Whether it is new.
  let joins: Bool
  let route: Route
  /// The window's own number for it.
  let navigation: Int
  /// By region, the tags of what it shows; `nil`: what it was last sent.
  let tags: [String: String]?
  let environment: WindowEnvironment
}

/// What a cache holds.
struct CacheSize {
  let name: String
  let count: Int
  let bytes: Int
}

/// One product, whatever its state is: its pages, and the windows that show them.
protocol AnyProduct: Actor {
  nonisolated var name: String { get }
  /// Names the store, and the store that it is a scope of.
  nonisolated var store: ObjectIdentifier { get }
  nonisolated var root: ObjectIdentifier { get }
  /// The forms that can be posted, by name, with the names of their fields.
  nonisolated var forms: [String: [String]] { get }
  /// The store's newest version.
  nonisolated var version: UInt64 { get }
  /// How many actions the slowest listener may be behind.
  nonisolated var backlog: Int { get }
  nonisolated var effects: EffectLanes? { get }

  /// - Throws: ``WindowError``; nothing has changed.
  nonisolated func page(_ request: PageRequest) async throws -> PageAnswer
  nonisolated func submit(_ post: Post) async -> SubmissionAnswer

  /// Shows a page in a window, and sends what it does not have.
  ///
  /// - Throws: ``WindowError``; nothing has changed.
  func show(_ request: WindowRequest) throws
  /// Shows a window anew that was not sent what it should have been.
  func showAgain(_ window: Identifier, tags: [String: String])
  /// Forgets a window, unless it has come here again since.
  ///
  /// - Parameter moves: How often it had been put somewhere when it was here; `nil`: it has ended.
  func forget(_ window: Identifier, since moves: Int?)

  /// Makes frames as the store changes, until the task is cancelled.
  nonisolated func run() async
  /// Brings every window to the newest state.
  func frame()
  /// Does what is due now and then.
  func tick(_ now: ContinuousClock.Instant)
  func use(_ templates: Result<TemplateSet, any Error>)

  var placeCount: Int { get }
  var framedVersion: UInt64 { get }
  var cachedRegionCount: Int { get }
  var memoCount: Int { get }
  var cacheSizes: [CacheSize] { get }
}
