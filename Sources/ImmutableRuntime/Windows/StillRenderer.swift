import HTMLTemplates
import ImmutableData
import ImmutableUI
import Logging

/// Renders content that no window shows, in one state or in one after another. It shares no renders
/// with windows. Its own renders share their parts, and what two states have in common is rendered
/// once, as in frames.
///
/// Not Sendable. It keeps its renders for as long as it exists, unless it has a limit.
final class StillRenderer<State: StoreState> {
  /// More regions than this are not worth keeping. The selectors that they read keep what they have
  /// derived, which the limit does not count.
  private static var countLimit: Int { 128 }

  private var snapshot: StoreSnapshot<State, State.Action>
  private let memos = MemoTable()
  private let templates: TemplateSet
  private let counters: FrameCounters
  private let times: FrameTimes?
  private var scope: any AnyRenderScope
  private var regions: RegionCache

  /// - Parameters:
  ///   - state: The state that selectors read.
  ///   - counters: Receives the messages of selectors.
  ///   - times: Measures the times, if they are of interest.
  ///   - limit: The maximum size of the renders that are kept, in bytes.
  init(
    in state: State,
    templates: TemplateSet,
    counters: FrameCounters,
    times: FrameTimes? = nil,
    limit: Int = .max
  ) {
    let snapshot = StoreSnapshot<State, State.Action>(state: state, version: 0)
    self.snapshot = snapshot
    self.templates = templates
    self.counters = counters
    self.times = times
    self.scope = RenderScope(
      snapshot: snapshot, memos: self.memos, templates: templates, counters: counters, times: times)
    self.regions = RegionCache(limit: limit, budget: RenderBudget(limit: .max))
  }

  /// - Parameters:
  ///   - state: The state that selectors read.
  ///   - logger: Receives the messages of selectors.
  ///   - times: Measures the times, if they are of interest.
  ///   - limit: The maximum size of the renders that are kept, in bytes.
  convenience init(
    in state: State,
    templates: TemplateSet,
    logger: Logger,
    times: FrameTimes? = nil,
    limit: Int = .max
  ) {
    self.init(
      in: state, templates: templates, counters: FrameCounters(logger: logger), times: times,
      limit: limit)
  }

  var state: State { self.snapshot.state }

  /// Whether it has more regions than are worth keeping.
  var isFull: Bool { self.regions.count > Self.countLimit }

  /// Continues in another state, which may be older or newer.
  ///
  /// - Parameter action: The action that led to it from the present state, for the filters of
  ///   selectors; `nil` if there is none. Then no filter is asked.
  func move(to state: State, after action: State.Action? = nil) {
    let version = self.snapshot.version + 1
    self.snapshot =
      if let action {
        StoreSnapshot(state: state, after: action, in: self.state, version: version)
      } else {
        StoreSnapshot(state: state, version: version)
      }
    self.scope = self.scope(counters: self.counters, times: self.times)
  }

  /// The present state and the selectors, for work that is counted and measured by itself.
  func scope(counters: FrameCounters, times: FrameTimes?) -> any AnyRenderScope {
    RenderScope(
      snapshot: self.snapshot, memos: self.memos, templates: self.templates, counters: counters,
      times: times)
  }

  /// The page's regions: the root, and after each region the regions nested in it. They change when
  /// they are rendered in another state.
  ///
  /// - Complexity: O(s), s selectors that the regions read, plus what differs from the last state in
  ///   which they were rendered.
  func regions(of root: RegionComponent) -> [(name: String, region: Region)] {
    self.regions.compose(root, version: self.snapshot.version, in: self.scope)
  }

  /// - Parameter title: Used if the root sets none.
  func composition(of root: RegionComponent, title: String) -> Composition {
    Composition(
      regions: self.regions(of: root).map {
        Composition.Region(name: $0.name, rendered: $0.region.rendered)
      },
      title: title
    )
  }

  /// Evicts renders that nobody has asked for in the last 10 s.
  ///
  /// - Returns: Whether none are left.
  func expire(_ now: ContinuousClock.Instant) -> Bool {
    self.regions.expire(now)
    return self.regions.count == 0
  }
}
