import Foundation
import HTMLTemplates
import ImmutableData
import ImmutableUI
import PlainText

/// The newest rows of the log.
struct LogEntries: Presenter, Hashable {
  private static let limit = 200

  @Selected<[LogRow]> private var rows: [LogRow]

  private let filter: LogFilter

  init(_ filter: LogFilter) {
    self._rows = Selected(id: filter, outputSelector: { $0.rows(filter, limit: Self.limit) })
    self.filter = filter
  }

  static let template = Template<Self>([
    .optionalText("onlyAction") { $0.filter.action },
    .optionalText("onlyWindow") { $0.filter.window },
    .link("allActions", DeveloperLog.Local.self) { local, _ in local.action = nil },
    .link("allWindows", DeveloperLog.Local.self) { local, _ in local.window = nil },
    .flag("isEmpty") { $0.rows.isEmpty },
    .flag("isCut") { $0.rows.count == Self.limit },
    .text("limit") { _ in "\(Self.limit)" },
    .rows("entries", Self.row) { $0.rows },
  ])

  private static let row: Slots<LogRow> = [
    .flag("isRefused") { $0.isRefused },
    .optional("action", Self.action) { $0.entry },
    .optional("visit", Self.visit) { $0.visit },
  ]

  private static let action: Slots<Entry> = [
    .text("version") { "\($0.dispatch.version)" },
    .text("product") { $0.product },
    .actionName("action") { $0.name },
    .text("payload") { $0.payload },
    .text("origin") { $0.dispatch.origin?.text ?? "" },
    .text("time") { $0.time.clock },
    .text("duration") { $0.dispatch.duration.words },
    .flag("isRefused") { $0.refusal != nil },
    .link("open", DeveloperLog.Local.self) { $0.entry = $1.id },
  ]

  private static let visit: Slots<VisitEntry> = [
    .text("words") { $0.visit.words },
    .text("url") { $0.visit.url },
    .text("product") { $0.visit.product },
    .text("browser") { $0.visit.browser },
    .optionalText("window") { $0.visit.window },
    .optionalText("refusal") { $0.visit.refusal?.inOneLine },
    .text("time") { $0.visit.time.clock },
    .link("lookBack", to: DeveloperTime.page()) { local, item in
      local.url = item.visit.url
      local.at = item.entry
      local.seen = PageTime(item.visit.environment)
    },
  ]
}

extension Date {
  /// The time of day to the millisecond, in UTC.
  var clock: String {
    let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
      .time(includingFractionalSeconds: true)
    return self.formatted(style)
  }
}
