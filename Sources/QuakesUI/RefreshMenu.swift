import HTMLTemplates
import ImmutableUI
import QuakesData

/// Fetches earthquakes.
struct RefreshMenu: Component, Hashable {
  @SelectQuakesStatus private var status

  var body: some Component {
    Presenter(isWaiting: self.status == .waiting)
  }
}

extension RefreshMenu {
  private struct Presenter: ImmutableUI.Presenter {
    let isWaiting: Bool

    static let template = Template<Self>([
      .flag("isWaiting") { $0.isWaiting },
      .form("refresh", RefreshMenu.onTapRefreshQuakesButton),
    ])
  }
}

extension RefreshMenu {
  /// Of the range that the button stands for.
  static let onTapRefreshQuakesButton = Form<QuakesAction>("refresh") { fields in
    .ui(
      .quakeList(
        .onTapRefreshQuakesButton(
          range: try fields.value("range", "Choose how far back to refresh.", Self.range)
        )
      )
    )
  }

  static let onTapLoadSampleButton = Form<QuakesAction>("sample") { _ in
    .ui(.quakeList(.onTapLoadSampleButton))
  }

  private static func range(
    _ value: String
  ) -> QuakesAction.UI.QuakeList.RefreshQuakesRange? {
    switch value {
    case "allHour": .allHour
    case "allDay": .allDay
    case "allWeek": .allWeek
    case "allMonth": .allMonth
    default: nil
    }
  }
}
