import HTMLTemplates
import ImmutableUI

/// The size of the recording, with buttons that pause and clear it.
struct LogRecording: Presenter, Hashable {
  @Selected(outputSelector: \.counts) private var counts: DeveloperState.Counts

  static let template = Template<Self>([
    .text("entries") { "\($0.counts.entries)" },
    .text("kilobytes") { "\(($0.counts.bytes + 1_023) / 1_024)" },
    .text("limit") { _ in "\(DeveloperReducer.countLimit)" },
    .flag("isPaused") { $0.counts.isPaused },
    .flag("isLive") { $0.counts.loaded == nil },
    .form("pause", Self.onTapPauseButton),
    .form("resume", Self.onTapResumeButton),
    .form("clear", Self.onTapClearButton),
  ])

  private static let onTapPauseButton = Form<DeveloperAction>("pause") { .ui(.onTapPauseButton) }
  private static let onTapResumeButton = Form<DeveloperAction>("resume") { .ui(.onTapResumeButton) }
  private static let onTapClearButton = Form<DeveloperAction>("clear") { .ui(.onTapClearButton) }
}
