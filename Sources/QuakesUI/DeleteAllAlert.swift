import HTMLTemplates
import ImmutableUI
import QuakesData

/// Asks before all earthquakes are deleted.
struct DeleteAllAlert: Component, Hashable {
  @SelectQuakesCount private var totalQuakes

  var body: some Component {
    Presenter(totalQuakes: self.totalQuakes)
  }
}

extension DeleteAllAlert {
  private struct Presenter: ImmutableUI.Presenter {
    let totalQuakes: Int

    static let template = Template<Self>([
      .text("total") { $0.totalQuakes },
      .form("deleteAll", DeleteAllAlert.onTapDeleteAllQuakesButton, closing: \QuakesLocal.sheet),
      .link("cancel", QuakesLocal.self) { local, _ in local.sheet.value = nil },
    ])
  }
}

extension DeleteAllAlert {
  static let onTapDeleteAllQuakesButton = Form<QuakesAction>("deleteAll") {
    .ui(.quakeList(.onTapDeleteAllQuakesButton))
  }
}
