package import Foundation

/// An earthquake of a feed. Its values are not validated yet.
///
/// Source: the fields at https://earthquake.usgs.gov/earthquakes/feed/v1.0/geojson.php.
package struct ScannedFeature: Hashable, Codable, Sendable {
  package let properties: Properties
  package let geometry: Geometry
  package let id: String

  package struct Properties: Hashable, Codable, Sendable {
    /// `nil` if it is unknown, because the USGS does not always know it.
    package let mag: Double?
    package let place: String
    package let time: Date
    package let updated: Date
    /// The number of people who have reported that they felt it; `nil` if the feed does not contain
    /// it.
    package let felt: Double?
    /// All ids of the earthquake, also its own, each between commas; `nil` if the feed does not
    /// contain them.
    package let ids: String?
  }

  package struct Geometry: Hashable, Codable, Sendable {
    /// Longitude, latitude, the depth if it is known, and possibly further values.
    package let coordinates: [Double]
  }
}
