import Foundation
import HTMLTemplates
import ImmutableUI

/// Why a ``Recorder`` has stopped, and when.
struct RecordingEnd: Hashable, Sendable {
  let reason: String
  let time: Date
}

/// Says on every developer page that a recording to a file has stopped.
struct RecordingNotice: Presenter, Hashable {
  @SelectRecordingEnd private var end: RecordingEnd?

  static let template = Template<Self>([
    .optional("end", Self.slots) { $0.end }
  ])

  private static let slots: Slots<RecordingEnd> = [
    .text("reason") { $0.reason },
    .text("time") { $0.time.clock },
  ]
}
