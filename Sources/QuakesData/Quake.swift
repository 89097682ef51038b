public import Foundation
package import ImmutableData

/// An earthquake.
///
/// Source: the guide, chapter QuakesData, section Quake.
public struct Quake: Codable, Hashable, Sendable {
  public let quakeId: String
  /// The magnitude on the scale that the feed uses, usually from 0 to 10.
  public let magnitude: Double
  /// When it happened.
  public let time: Date
  /// When its data last changed.
  public let updated: Date
  /// The description of its place.
  public let name: String
  /// In degrees, east is positive.
  public let longitude: Double
  /// In degrees, north is positive.
  public let latitude: Double
  /// Beyond the guide: in kilometers below sea level; `nil` if unknown.
  public let depth: Double?
  /// Beyond the guide: the number of people who have reported to the USGS that they felt it; `nil`
  /// if there are none.
  public let felt: Int?

  package init(
    quakeId: String,
    magnitude: Double,
    time: Date,
    updated: Date,
    name: String,
    longitude: Double,
    latitude: Double,
    depth: Double? = nil,
    felt: Int? = nil
  ) {
    self.quakeId = quakeId
    self.magnitude = magnitude
    self.time = time
    self.updated = updated
    self.name = name
    self.longitude = longitude
    self.latitude = latitude
    self.depth = depth
    self.felt = felt
  }
}

// The depth and the number of reports are left out. The feed changes them together with the time of
// the update, and an earthquake of the guide, which has neither, equals the same one of a feed.
extension Quake: ComparedInPart {
  package static var uncomparedParts: Set<String> { ["depth", "felt"] }

  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.quakeId == rhs.quakeId && lhs.magnitude == rhs.magnitude && lhs.time == rhs.time
      && lhs.updated == rhs.updated && lhs.name == rhs.name && lhs.longitude == rhs.longitude
      && lhs.latitude == rhs.latitude
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(self.quakeId)
    hasher.combine(self.magnitude)
    hasher.combine(self.time)
    hasher.combine(self.updated)
    hasher.combine(self.name)
    hasher.combine(self.longitude)
    hasher.combine(self.latitude)
  }
}

// As JSON, in recordings, in logs, and in what developers dispatch by hand.
extension Quake {
  /// Reads what ``QuakeLimits`` allow. With a number that no feed has, such as a time after the last
  /// year, it could not be shown.
  ///
  /// - Throws: `DecodingError`.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      quakeId: try values.decode(String.self, forKey: .quakeId),
      magnitude: try values.decode(Double.self, forKey: .magnitude),
      time: try values.decode(Date.self, forKey: .time),
      updated: try values.decode(Date.self, forKey: .updated),
      name: try values.decode(String.self, forKey: .name),
      longitude: try values.decode(Double.self, forKey: .longitude),
      latitude: try values.decode(Double.self, forKey: .latitude),
      depth: QuakeLimits.known(
        try values.decodeIfPresent(Double.self, forKey: .depth), in: QuakeLimits.depths),
      felt: QuakeLimits.known(
        try values.decodeIfPresent(Int.self, forKey: .felt), in: QuakeLimits.felt)
    )
    guard QuakeLimits.allow(self) else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: decoder.codingPath,
          debugDescription: "No earthquake has such a magnitude, time or place."))
    }
  }
}

extension Quake {
  /// Whether two reports can be of the same earthquake. Those of different networks differ a little.
  func isNear(_ other: Self) -> Bool {
    let degrees = abs(self.longitude - other.longitude)
    // Degrees of longitude are shorter away from the equator.
    let east = min(degrees, 360 - degrees) * cos(self.latitude * .pi / 180)
    return abs(self.time.timeIntervalSince(other.time)) <= 120
      && abs(self.latitude - other.latitude) <= 3 && abs(east) <= 3
  }
}

extension Quake: Identifiable {
  public var id: String {
    self.quakeId
  }
}

// The sample data, with the values of the guide. All have just happened.
extension Quake {
  public static var xxsmall: Self { .sample("xxsmall", magnitude: 0.5) }
  public static var xsmall: Self { .sample("xsmall", magnitude: 1.5) }
  public static var small: Self { .sample("small", magnitude: 2.5) }
  public static var medium: Self { .sample("medium", magnitude: 3.5) }
  public static var large: Self { .sample("large", magnitude: 4.5) }
  public static var xlarge: Self { .sample("xlarge", magnitude: 5.5) }
  public static var xxlarge: Self { .sample("xxlarge", magnitude: 6.5) }
  public static var xxxlarge: Self { .sample("xxxlarge", magnitude: 7.5) }

  private static func sample(_ quakeId: String, magnitude: Double) -> Self {
    let now = Date.now
    return Self(
      quakeId: quakeId,
      magnitude: magnitude,
      time: now,
      updated: now,
      name: "West of California",
      longitude: -125,
      latitude: 35
    )
  }
}
