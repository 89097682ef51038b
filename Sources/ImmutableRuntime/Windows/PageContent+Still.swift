import HTMLTemplates
import ImmutableData
import ImmutableUI
import Logging

extension Composition {
  /// What nobody's window shows: it shares nothing with what windows show, and nothing of it is kept.
  ///
  /// - Parameters:
  ///   - root: What it shows.
  ///   - state: What its selectors read.
  ///   - logger: Receives what selectors log.
  ///   - title: Used if the root sets none.
  convenience init<State: StoreState>(
    of root: RegionComponent,
    in state: State,
    templates: TemplateSet,
    logger: Logger,
    title: String
  ) {
    let scope = RenderScope<State, State.Action>(
      snapshot: StoreSnapshot(state: state),
      memos: MemoTable(),
      templates: templates,
      counters: FrameCounters(isAuditing: false, logger: logger)
    )
    var regions = RegionCache<State, State.Action>(limit: .max, budget: RenderBudget(limit: .max))
    self.init(
      regions: regions.compose(root, version: 0, in: scope).map {
        Composition.Region(name: $0.name, rendered: $0.region.rendered)
      },
      title: title
    )
  }
}

extension PageContent {
  /// A page that no frame changes.
  ///
  /// - Parameter context: Where it is, and its local state.
  init(still composition: Composition, assets: [Asset], context: PageContext) {
    self.init(
      path: context.path,
      title: composition.title,
      assets: assets,
      version: 0,
      writer: PageWriter(composition: composition, context: context),
      isWaiting: false,
      isMissing: false,
      toast: nil
    )
  }
}
