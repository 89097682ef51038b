import Foundation
import HTMLTemplates
import ImmutableUI

/// The page where a visitor reports a problem. It shows what would be sent, and a form for a
/// description.
struct ReportForm: Presenter, Hashable {
  static let path = "/report"
  /// The parameter that says that a report was sent.
  static let sent = "sent"

  static let assets: [Asset] = [.style("report.css")]

  let excerpt: ReportExcerpt
  /// `nil` once the report has been sent.
  let span: ReportSpan?
  let timeZone: TimeZone

  static let template = Template<Self>([
    .flag("isSent") { $0.span == nil },
    .form("report", Self.send),
    .field("span", Self.spanField) { $0.span?.description },
    .field("description", Self.description),
    .flag("isEmpty") { $0.excerpt.lines.isEmpty },
    .each("lines", Self.line) { form in
      form.excerpt.lines.map { Line(line: $0, timeZone: form.timeZone) }
    },
    .flag("hasOthers") { $0.excerpt.others > 0 },
    .flag("isOneOther") { $0.excerpt.others == 1 },
    .text("others") { "\($0.excerpt.others)" },
  ])

  private static let line: Slots<Line> = [
    .text("time") { $0.clock },
    .text("text") { $0.line.text },
    .text("exact") { $0.line.exact },
  ]

  private struct Line: Sendable {
    let line: ReportLine
    let timeZone: TimeZone

    /// In the visitor's time zone.
    var clock: String {
      let style = Date.ISO8601FormatStyle(timeZone: self.timeZone)
        .time(includingFractionalSeconds: false)
      return self.line.time.formatted(style)
    }
  }
}

extension ReportForm {
  /// It has no state, because its content belongs to one visitor.
  struct State: StoreState {
    typealias Action = Report
  }

  /// The report that a visitor sends.
  struct Report: Sendable {
    /// `nil` if it is not a report.
    let span: ReportSpan?
    let description: String
  }

  static let spanField = Field<String>.hidden("span").optional()
  static let description = Field.textarea(
    "description", required: "Say what was wrong.", limit: 2_000)

  static let send = Form<Report>("report", fields: Self.spanField, Self.description) {
    Report(span: $0.flatMap(ReportSpan.init), description: $1)
  }

  /// Confirms that a report was sent.
  static let thanks = Self(excerpt: ReportExcerpt(), span: nil, timeZone: .gmt)
}
