import Foundation
import ImmutableData

/// A row of the log.
enum LogRow: Identifiable, Hashable, Sendable {
  /// What the log shows.
  enum Kind: String, CaseIterable, Sendable {
    case both
    case actions
    case visits
  }

  case action(Entry)
  case visit(VisitEntry)

  var id: String {
    switch self {
    case .action(let entry): "\(entry.id)"
    case .visit(let item): "visit-\(item.id)"
    }
  }

  var entry: Entry? { if case .action(let entry) = self { entry } else { nil } }

  var visit: VisitEntry? { if case .visit(let item) = self { item } else { nil } }

  /// Whether it is newer than another row. A form was posted before its action, and a page that is
  /// opened shows the result of the newest action.
  func isNewer(than other: Self) -> Bool { self.moment > other.moment }

  private var moment: (version: UInt64, part: Int, time: Date) {
    switch self {
    case .action(let entry): (entry.dispatch.version, entry.refusal == nil ? 1 : 2, entry.time)
    case .visit(let item): (item.visit.version, item.visit.isAccepted ? 0 : 2, item.visit.time)
    }
  }

  /// Whether it was refused.
  var isRefused: Bool {
    switch self {
    case .action(let entry): entry.refusal != nil
    case .visit(let item): item.visit.refusal != nil
    }
  }
}
