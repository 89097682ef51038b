package import Foundation

/// An earthquake of a feed. Its values are not validated yet.
package struct ScannedFeature: Hashable, Sendable {
  package let id: String
  /// `nil` if it is unknown, because the USGS does not always know it.
  package let magnitude: Double?
  package let place: String
  package let time: Date
  package let updated: Date
  package let longitude: Double
  package let latitude: Double
  /// `nil` if it is unknown, or not a number.
  package let depth: Double?
  /// The number of people who have reported that they felt it; `nil` if the feed does not contain
  /// it.
  package let felt: Double?
  /// All ids of the earthquake, each between commas; `nil` if the feed does not contain them.
  package let ids: String?

  package init(
    id: String,
    magnitude: Double?,
    place: String,
    time: Date,
    updated: Date,
    longitude: Double,
    latitude: Double,
    depth: Double? = nil,
    felt: Double? = nil,
    ids: String? = nil
  ) {
    self.id = id
    self.magnitude = magnitude
    self.place = place
    self.time = time
    self.updated = updated
    self.longitude = longitude
    self.latitude = latitude
    self.depth = depth
    self.felt = felt
    self.ids = ids
  }
}
