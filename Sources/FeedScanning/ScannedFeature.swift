package import Foundation

/// An earthquake as a feed has it; nothing says that its values can be.
package struct ScannedFeature: Hashable, Sendable {
  package let id: String
  /// `nil`: the USGS does not know all of them.
  package let magnitude: Double?
  package let place: String
  package let time: Date
  package let updated: Date
  package let longitude: Double
  package let latitude: Double
  /// `nil`: nobody knows it, or it is no number.
  package let depth: Double?
  /// How many people have said that they felt it; `nil`: the feed does not say.
  package let felt: Double?

  package init(
    id: String,
    magnitude: Double?,
    place: String,
    time: Date,
    updated: Date,
    longitude: Double,
    latitude: Double,
    depth: Double? = nil,
    felt: Double? = nil
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
  }
}
