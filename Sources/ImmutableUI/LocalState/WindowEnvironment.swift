public import Foundation

/// What a browser tells of a window besides its URL.
public struct WindowEnvironment: Hashable, Sendable {
  /// That of whoever looks at the window.
  public let timeZone: TimeZone
  /// When the window asked for what it shows.
  public let date: Date

  public init(timeZone: TimeZone = .current, date: Date = .now) {
    self.timeZone = timeZone
    self.date = date
  }
}
