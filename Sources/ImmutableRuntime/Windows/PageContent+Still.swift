import HTMLTemplates
import ImmutableData
import ImmutableUI

extension PageContent {
  /// A page for nobody's window: it shares nothing with what windows show, and nothing of it is kept.
  ///
  /// - Parameters:
  ///   - root: What it shows.
  ///   - state: What its selectors read.
  ///   - title: Used if the root sets none.
  ///   - context: Where it is, and its local state.
  init<State: StoreState>(
    of root: RegionComponent,
    in state: State,
    templates: TemplateSet,
    counters: FrameCounters,
    title: String,
    assets: [Asset],
    context: PageContext
  ) {
    let scope = RenderScope<State, State.Action>(
      snapshot: StoreSnapshot(state: state),
      memos: MemoTable(),
      templates: templates,
      counters: counters
    )
    var regions = RegionCache<State, State.Action>(limit: .max, budget: RenderBudget(limit: .max))
    let composition = Composition(
      regions: regions.compose(root, version: 0, in: scope).map {
        Composition.Region(name: $0.name, rendered: $0.region.rendered)
      },
      title: title
    )
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
