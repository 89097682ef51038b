import Foundation
import ImmutableData
import ImmutableUI

/// The time zone and the time in which a page is shown, and to whom, as in a URL: `Asia/Tokyo`,
/// `Asia/Tokyo,2026-11-24T10:00:00Z` or, with a visitor, `Asia/Tokyo,2026-11-24T10:00:00Z,VISITOR`.
struct PageTime: LosslessStringConvertible, Hashable, Sendable {
  let timeZone: TimeZone
  /// `nil` for the time of the action after which the page is shown.
  let date: Date?
  /// `nil` for nobody.
  let visitor: Visitor?

  init(timeZone: TimeZone, date: Date?, visitor: Visitor? = nil) {
    self.timeZone = timeZone
    self.date = date
    self.visitor = visitor
  }

  init(_ environment: WindowEnvironment) {
    self.init(
      timeZone: environment.timeZone, date: environment.date, visitor: environment.visitor)
  }

  init?(_ description: String) {
    let parts = description.split(separator: ",", maxSplits: 2, omittingEmptySubsequences: false)
      .map(String.init)
    guard let zone = TimeZone(reported: parts[0]) else { return nil }
    let visitor = parts.count == 3 ? Visitor(rawValue: parts[2]) : nil
    let text = parts.count > 1 ? parts[1] : ""
    let date = try? Date(text, strategy: .iso8601)
    guard date != nil || text.isEmpty && parts.count != 2 else { return nil }
    self.init(timeZone: zone, date: date, visitor: visitor)
  }

  var description: String {
    let parts = [self.timeZone.identifier, self.date?.formatted(.iso8601), self.visitor?.rawValue]
    let last = parts.lastIndex { $0 != nil } ?? 0
    return parts[...last].map { $0 ?? "" }.joined(separator: ",")
  }

  /// - Parameter time: The time of the action.
  func environment(at time: Date) -> WindowEnvironment {
    WindowEnvironment(
      timeZone: self.timeZone, date: self.date ?? time, visitor: self.visitor)
  }
}
