import Foundation
import QuakesData

/// A point of the map, in the units of its SVG: a unit is a degree on the equator, and y goes down.
struct MapPoint: Hashable, Sendable {
  let x: Double
  let y: Double
}

extension MapPoint {
  /// The point of a place on the map.
  ///
  /// `scripts/land.py` does the same for the outline of the land.
  ///
  /// - Parameters:
  ///   - longitude: In degrees, from -180 to 180.
  ///   - latitude: In degrees, from -90 to 90.
  ///
  /// Source: Miller's cylindrical projection (J. P. Snyder, Map Projections: A Working Manual, USGS
  /// Professional Paper 1395, page 88), which has the poles, and is near Mercator's elsewhere.
  init(longitude: Double, latitude: Double) {
    let latitude = min(max(latitude, -90), 90) * .pi / 180
    self.x = longitude
    self.y = -1.25 * log(tan(.pi / 4 + 0.4 * latitude)) * 180 / .pi
  }
}

extension Quake {
  /// The latitude, in degrees, at which an earthquake beyond it is shown. The map ends at the poles,
  /// and would cut its marker.
  private static let limit = 88.0

  var mapPoint: MapPoint {
    MapPoint(
      longitude: self.longitude, latitude: min(max(self.latitude, -Self.limit), Self.limit))
  }
}
