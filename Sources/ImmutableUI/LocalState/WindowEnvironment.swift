public import Foundation

/// The environment of a window, besides its URL.
public struct WindowEnvironment: Hashable, Sendable {
  /// The time zone of the user.
  public let timeZone: TimeZone
  /// When the window requested its content.
  public let date: Date

  public init(timeZone: TimeZone = .current, date: Date = .now) {
    self.timeZone = timeZone
    self.date = date
  }
}
