import Foundation
import ImmutableUI

/// The time zone and the time in which a page is shown, as in a URL: `Asia/Tokyo` or
/// `Asia/Tokyo,2026-11-24T10:00:00Z`.
struct PageTime: LosslessStringConvertible, Hashable, Sendable {
  let timeZone: TimeZone
  /// `nil` for the time of the action after which the page is shown.
  let date: Date?

  init(timeZone: TimeZone, date: Date?) {
    self.timeZone = timeZone
    self.date = date
  }

  init(_ environment: WindowEnvironment) {
    self.init(timeZone: environment.timeZone, date: environment.date)
  }

  init?(_ description: String) {
    let parts = description.split(separator: ",", maxSplits: 1).map(String.init)
    guard let zone = parts.first.flatMap(TimeZone.init(reported:)) else { return nil }
    let date = parts.count == 2 ? try? Date(parts[1], strategy: .iso8601) : nil
    guard parts.count == 1 || date != nil else { return nil }
    self.init(timeZone: zone, date: date)
  }

  var description: String {
    let date = self.date.map { ",\($0.formatted(.iso8601))" } ?? ""
    return self.timeZone.identifier + date
  }

  /// - Parameter time: The time of the action.
  func environment(at time: Date) -> WindowEnvironment {
    WindowEnvironment(timeZone: self.timeZone, date: self.date ?? time)
  }
}
