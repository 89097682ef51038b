import HTMLTemplates
import ImmutableData
import ImmutableUI
import Logging

/// Renders content that no window shows, in one state. It shares no renders with windows, but its
/// own renders share their parts with each other.
///
/// Not Sendable. It keeps its renders for as long as it exists.
final class StillRenderer<State: StoreState> {
  let state: State
  private let scope: any AnyRenderScope
  private var regions = RegionCache(limit: .max, budget: RenderBudget(limit: .max))

  /// - Parameters:
  ///   - state: The state that selectors read.
  ///   - counters: Receives the messages of selectors.
  ///   - times: Measures the times, if they are of interest.
  init(
    in state: State,
    templates: TemplateSet,
    counters: FrameCounters,
    times: FrameTimes? = nil
  ) {
    self.state = state
    self.scope = RenderScope<State, State.Action>(
      snapshot: StoreSnapshot(state: state),
      memos: MemoTable(),
      templates: templates,
      counters: counters,
      times: times
    )
  }

  /// - Parameters:
  ///   - state: The state that selectors read.
  ///   - logger: Receives the messages of selectors.
  ///   - times: Measures the times, if they are of interest.
  convenience init(
    in state: State,
    templates: TemplateSet,
    logger: Logger,
    times: FrameTimes? = nil
  ) {
    self.init(
      in: state, templates: templates, counters: FrameCounters(logger: logger), times: times)
  }

  /// The page's regions: the root, and after each region the regions nested in it.
  func regions(of root: RegionComponent) -> [(name: String, region: Region)] {
    self.regions.compose(root, version: 0, in: self.scope)
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
}
