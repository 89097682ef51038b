import QuakesData

/// How strong an earthquake was, as colors and sizes tell it: only what is felt far around warns.
enum MagnitudeClass: String, CaseIterable, Sendable {
  case minor
  case light
  case moderate
  case strong

  /// Where the classes begin, but for the first.
  static let bounds = [2.5, 4.5, 6]

  /// - Parameter magnitude: As it is shown: to one decimal.
  init(of magnitude: Double) {
    self = Self.allCases[Self.bounds.prefix { $0 <= magnitude }.count]
  }

  /// For a person.
  var name: String {
    switch self {
    case .minor: "Below 2.5"
    case .light: "2.5 to 4.4"
    case .moderate: "4.5 to 5.9"
    case .strong: "6 and above"
    }
  }
}

/// How strong an earthquake has to be to show.
enum MinimumMagnitude: String, CaseIterable, Hashable, Sendable {
  case all
  case light = "2.5"
  case moderate = "4.5"

  /// The least magnitude, as it is shown: to one decimal.
  var value: Double { Double(self.rawValue) ?? -.infinity }

  /// For a person.
  var name: String {
    self == .all ? "All" : "M\(self.rawValue)+"
  }
}
