import ImmutableUI
import QuakesData

/// Fetches earthquakes.
struct RefreshMenu: Presenter, Hashable {
  @SelectQuakesStatus private var status

  static let template = Template<Self>([
    .flag("isWaiting") { $0.status == .waiting },
    .form("refresh", RefreshMenu.onTapRefreshQuakesButton),
    .field("range", RefreshMenu.range),
  ])
}

extension RefreshMenu {
  /// How far back to fetch; each has a button.
  static let range = Field<Range>.choice(
    "range",
    .buttons,
    of: Range.allCases,
    "Choose how far back to refresh."
  )

  static let onTapRefreshQuakesButton = Form<QuakesAction>("refresh", fields: Self.range) {
    .ui(.quakeList(.onTapRefreshQuakesButton(range: $0.value)))
  }

  static let onTapCancelRefreshButton = Form<QuakesAction>("cancelRefresh") {
    .ui(.quakeList(.onTapCancelRefreshButton))
  }

  static let onTapLoadSampleButton = Form<QuakesAction>("sample") {
    .ui(.quakeList(.onTapLoadSampleButton))
  }

  enum Range: String, CaseIterable, Sendable {
    case allHour, allDay, allWeek, allMonth

    var value: QuakesAction.UI.QuakeList.RefreshQuakesRange {
      switch self {
      case .allHour: .allHour
      case .allDay: .allDay
      case .allWeek: .allWeek
      case .allMonth: .allMonth
      }
    }
  }
}
