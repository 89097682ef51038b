import Foundation
import HTMLTemplates
import ImmutableUI

/// Why a ``Recorder`` has stopped, and when.
struct RecordingEnd: Hashable, Sendable {
  let reason: String
  let time: Date
}

/// Says on every developer page that it shows a recording, or that a recording to a file has stopped.
struct RecordingNotice: Presenter, Hashable {
  @Selected(outputSelector: \.recordingEnd) private var end: RecordingEnd?
  @Selected(outputSelector: \.loaded) private var loaded: LoadedRecording?

  static let template = Template<Self>([
    .optional("loaded", Self.loadedSlots) { $0.loaded },
    .optional("end", Self.slots) { $0.end },
  ])

  private static let loadedSlots: Slots<LoadedRecording> = [
    .text("name") { $0.name },
    .text("actions") { $0.actions.counting("action", "actions") },
    .optional("span", Self.spanSlots) { $0.span },
    .flag("isRisky") { $0.isRisky },
  ]

  private static let style = Date.ISO8601FormatStyle(dateTimeSeparator: .space)

  private static let spanSlots: Slots<ClosedRange<Date>> = [
    .text("first") { $0.lowerBound.formatted(Self.style) },
    .text("last") { $0.upperBound.formatted(Self.style) },
  ]

  private static let slots: Slots<RecordingEnd> = [
    .text("reason") { $0.reason },
    .text("time") { $0.time.clock },
  ]
}
