import AnimalsData
import HTMLTemplates
import ImmutableUI

/// Asks before everything is replaced by the sample data.
///
/// A deletion is undone instead. This could not be undone as a whole: it replaces categories too, and the
/// guide's API has no way to put back a catalogue, of any size, as it was.
///
/// Source: the guide, chapter AnimalsUI, section CategoryList.
struct ReloadAlert: Presenter, Hashable {
  @SelectIsWaiting private var isWaiting

  static let template = Template<Self>([
    .flag("isWaiting") { $0.isWaiting },
    // How it goes shows in the lists.
    .form("reload", ReloadAlert.reload, closing: \AnimalsLocal.sheet, .onSubmit),
    .link("cancel", AnimalsLocal.self) { local, _ in local.dismiss() },
  ])

  private static let reload = Form<AnimalsAction>("reload") {
    .ui(.categoryList(.onTapReloadSampleDataButton))
  }
}
