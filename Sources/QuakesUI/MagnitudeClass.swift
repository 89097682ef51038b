import QuakesData

/// The strength of an earthquake, for colors and sizes. Warning colors are only for earthquakes
/// that are felt far away.
enum MagnitudeClass: String, CaseIterable, Sendable {
  case minor
  case light
  case moderate
  case strong

  /// The lower bounds of the classes, except the first.
  static let bounds = [2.5, 4.5, 6]

  /// - Parameter magnitude: The magnitude as it is shown, rounded to one decimal.
  init(of magnitude: Double) {
    self = Self.allCases[Self.bounds.prefix { $0 <= magnitude }.count]
  }

  /// Text for people.
  var name: String {
    switch self {
    case .minor: "Below 2.5"
    case .light: "2.5 to 4.4"
    case .moderate: "4.5 to 5.9"
    case .strong: "6 and above"
    }
  }
}

/// How strong an earthquake must be to be shown.
enum MinimumMagnitude: String, CaseIterable, Hashable, Sendable {
  case all
  case light = "2.5"
  case moderate = "4.5"

  /// The minimum magnitude as it is shown, rounded to one decimal.
  var value: Double { Double(self.rawValue) ?? -.infinity }

  /// Text for people.
  var name: String {
    self == .all ? "All" : "M\(self.rawValue)+"
  }
}
