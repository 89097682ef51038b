import HTMLTemplates
import ImmutableData
import ImmutableUI
import Logging

/// Renders what nobody's window shows, in one state. It shares nothing with what windows show; what it
/// renders has its parts in common, as pages that windows show have.
///
/// Not Sendable. It keeps what it has rendered for as long as it lives.
final class StillRenderer<State: StoreState> {
  let state: State
  private let scope: RenderScope<State, State.Action>
  private var regions = RegionCache<State, State.Action>(
    limit: .max, budget: RenderBudget(limit: .max))

  /// - Parameters:
  ///   - state: What selectors read.
  ///   - logger: Receives what selectors log.
  init(in state: State, templates: TemplateSet, logger: Logger) {
    self.state = state
    self.scope = RenderScope(
      snapshot: StoreSnapshot(state: state),
      memos: MemoTable(),
      templates: templates,
      counters: FrameCounters(isAuditing: false, logger: logger)
    )
  }

  /// - Parameter title: Used if the root sets none.
  func composition(of root: RegionComponent, title: String) -> Composition {
    Composition(
      regions: self.regions.compose(root, version: 0, in: self.scope).map {
        Composition.Region(name: $0.name, rendered: $0.region.rendered)
      },
      title: title
    )
  }
}
