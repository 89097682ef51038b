public import Foundation
public import ImmutableData

/// The environment of a window, besides its URL.
public struct WindowEnvironment: Hashable, Sendable {
  /// The time zone of the user.
  public let timeZone: TimeZone
  /// When the window requested its content.
  public let date: Date
  /// Who uses the window; `nil` where there is nobody, as in a preview.
  public let visitor: Visitor?

  public init(timeZone: TimeZone = .current, date: Date = .now, visitor: Visitor? = nil) {
    self.timeZone = timeZone
    self.date = date
    self.visitor = visitor
  }
}

extension WindowEnvironment: Redactable {
  public func redacted(_ pseudonym: (String) -> String) -> Self {
    Self(timeZone: self.timeZone, date: self.date, visitor: self.visitor?.redacted(pseudonym))
  }
}
