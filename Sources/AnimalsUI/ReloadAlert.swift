import AnimalsData
import ImmutableUI

/// Asks for confirmation before everything is replaced by the sample data.
///
/// A deletion can be undone instead. A reload could not be undone: it replaces categories too, and
/// the guide's API has no way to restore a whole catalog.
///
/// Source: the guide, chapter AnimalsUI, section CategoryList.
struct ReloadAlert: Presenter, Hashable {
  @ImmutableUI.Selector(outputSelector: AnimalsState.selectIsWaiting()) private var isWaiting

  static let template = Template<Self>([
    .flag("isWaiting") { $0.isWaiting },
    // The lists show its progress.
    .form("reload", ReloadAlert.reload, closing: \AnimalsLocal.sheet, .onSubmit),
    .link("cancel", AnimalsLocal.self) { local, _ in local.dismiss() },
  ])

  private static let reload = Form<AnimalsAction>("reload") {
    .ui(.categoryList(.onTapReloadSampleDataButton))
  }
}
