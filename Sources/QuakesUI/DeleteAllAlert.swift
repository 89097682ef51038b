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
      .number("total") { $0.totalQuakes },
      .form("deleteAll", DeleteAllAlert.onTapDeleteAllQuakesButton),
      .link("cancel") { _ in QuakesLocal.dismissed },
    ])
  }
}

extension DeleteAllAlert {
  static let onTapDeleteAllQuakesButton = Form<QuakesAction>("deleteAll") { _ in
    .ui(.quakeList(.onTapDeleteAllQuakesButton))
  }
}
