import HTMLTemplates
import ImmutableUI
import QuakesData

/// Asks before all earthquakes are deleted.
struct DeleteAllAlert: Presenter, Hashable {
  @SelectQuakesCount private var totalQuakes

  static let template = Template<Self>([
    .text("total") { $0.totalQuakes.grouped },
    .form("deleteAll", DeleteAllAlert.onTapDeleteAllQuakesButton, closing: \QuakesLocal.sheet),
    .link("cancel", QuakesLocal.self) { local, _ in local.sheet.value = nil },
  ])

  private static let onTapDeleteAllQuakesButton = Form<QuakesAction>("deleteAll") {
    .ui(.quakeList(.onTapDeleteAllQuakesButton))
  }
}
