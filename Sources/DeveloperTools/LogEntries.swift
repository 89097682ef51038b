import Foundation
import HTMLTemplates
import ImmutableData
import ImmutableUI

/// The newest actions of a search.
struct LogEntries: Presenter, Hashable {
  private static let limit = 200

  @SelectEntries private var entries: [Entry]

  init(search: String, product: String?) {
    self._entries = SelectEntries(search: search, product: product, limit: Self.limit)
  }

  static let template = Template<Self>([
    .flag("isEmpty") { $0.entries.isEmpty },
    .flag("isCut") { $0.entries.count == Self.limit },
    .text("limit") { _ in "\(Self.limit)" },
    .rows("entries", Self.row) { $0.entries },
  ])

  private static let row: Slots<Entry> = [
    .text("version") { "\($0.dispatch.version)" },
    .text("product") { $0.product },
    .text("name") { $0.name },
    .text("payload") { $0.payload },
    .text("origin") { $0.dispatch.origin?.text ?? "" },
    .text("time") { $0.clock },
    .text("duration") { $0.duration },
    .flag("isRefused") { $0.refusal != nil },
    .link("open", DeveloperLog.Local.self) { $0.entry = $1.id },
  ]
}

extension Entry {
  var clock: String { self.time.clock }

  /// How long the reducer ran.
  var duration: String { self.dispatch.duration.inMicroseconds }
}

extension MeasuredFrame {
  var clock: String { self.time.clock }
}

extension Date {
  /// The time of day to the millisecond, in UTC.
  fileprivate var clock: String {
    let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
      .time(includingFractionalSeconds: true)
    return self.formatted(style)
  }
}

extension Duration {
  var inMicroseconds: String {
    let (seconds, attoseconds) = self.components
    return "\(seconds * 1_000_000 + attoseconds / 1_000_000_000_000) µs"
  }
}
