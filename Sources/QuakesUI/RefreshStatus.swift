import ImmutableUI
import QuakesData

/// The status of the newest fetch, and later failures.
struct RefreshStatus: Presenter, Hashable {
  @SelectQuakesCount private var totalQuakes
  @SelectQuakesStatus private var status
  @ImmutableUI.Selector(outputSelector: QuakesState.selectQuakesSkippedCount()) private var skipped

  private var skippedEntries: String? {
    guard self.skipped > 0, self.status == .success else { return nil }
    return self.skipped == 1
      ? "1 entry of the feed could not be read and was left out."
      : "\(self.skipped) entries of the feed could not be read and were left out."
  }

  static let template = Template<Self>([
    .flag("isWaiting") { $0.status == .waiting },
    .form("cancelRefresh", RefreshMenu.onTapCancelRefreshButton),
    .optionalText("failure") { $0.status?.error },
    .optionalText("skipped") { $0.skippedEntries },
    // Without earthquakes, the list asks how far back to load them.
    .flag("hasQuakes") { $0.totalQuakes > 0 },
    .form("refresh", RefreshMenu.onTapRefreshQuakesButton),
    .field("range", RefreshMenu.range),
    .form("dismiss", RefreshStatus.onTapDismissFailureButton),
  ])

  private static let onTapDismissFailureButton = Form<QuakesAction>("dismiss") {
    .ui(.quakeList(.onTapDismissFailureButton))
  }
}
