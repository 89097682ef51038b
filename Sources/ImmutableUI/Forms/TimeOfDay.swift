public import Foundation

/// A time of day to the minute, without a time zone: what a field for times has.
///
/// ```swift
/// static let begins = Field.time("begins", "Choose a time.")
/// ```
public struct TimeOfDay: Hashable, Sendable {
  /// 0 to 23.
  public let hour: Int
  /// 0 to 59.
  public let minute: Int

  /// - Returns: `nil` if no day has such a time.
  public init?(hour: Int, minute: Int = 0) {
    guard (0...23).contains(hour), (0...59).contains(minute) else { return nil }
    (self.hour, self.minute) = (hour, minute)
  }

  /// The time of a date in a time zone.
  public init(of date: Date, in timeZone: TimeZone) {
    let components = Calendar.gregorian(timeZone).dateComponents([.hour, .minute], from: date)
    (self.hour, self.minute) = (components.hour ?? 0, components.minute ?? 0)
  }
}

extension TimeOfDay: Comparable {
  public static func < (lhs: Self, rhs: Self) -> Bool {
    (lhs.hour, lhs.minute) < (rhs.hour, rhs.minute)
  }
}

/// The form in URLs and time fields: `18:30`.
extension TimeOfDay: LosslessStringConvertible {
  public init?(_ description: String) {
    guard let numbers = description.numbers(as: "00:00") else { return nil }
    self.init(hour: numbers[0], minute: numbers[1])
  }

  public var description: String {
    [self.hour, self.minute].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
  }
}

extension TimeOfDay: Codable {
  public init(from decoder: any Decoder) throws {
    try self.init(describedIn: decoder, "a time of day, such as 18:30")
  }

  public func encode(to encoder: any Encoder) throws {
    try self.description.encode(to: encoder)
  }
}
