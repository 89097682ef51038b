/// The part of the world that a map shows. It is late local state, which only pages and browsers
/// have.
///
/// `Public/QuakesUI/camera.js` moves it.
struct MapCamera: Hashable, Sendable {
  private let center: MapPoint
  /// The magnification relative to the whole world.
  private let zoom: Double

  /// The size of the map, in its units.
  static let width = 360.0
  static let height = 264.0
  private static let zooms = 1.0...64.0

  /// The whole world.
  static let world = Self(center: MapPoint(x: 0, y: 0), zoom: 1)

  /// - Parameters:
  ///   - center: The longitude wraps around the world, and the latitude is limited so that the
  ///     poles stay at the edge.
  ///   - zoom: It is limited to the valid range and rounded to hundredths, as in the URL, because
  ///     the limits of the center depend on it.
  init(center: MapPoint, zoom: Double) {
    let zoom = (min(max(zoom, Self.zooms.lowerBound), Self.zooms.upperBound) * 100).rounded() / 100
    self.zoom = zoom
    // The poles are at the edge of the map or beyond it; from west to east there is no edge. Round
    // to hundredths first, because almost 180 would become 180 in the URL, which is -180.
    let y = Self.height / 2 * (1 - 1 / zoom)
    let x = (center.x.truncatingRemainder(dividingBy: Self.width) * 100).rounded() / 100
    self.center = MapPoint(
      x: x - Self.width * ((x + Self.width / 2) / Self.width).rounded(.down),
      y: min(max(center.y, -y), y)
    )
  }
}

extension MapCamera {
  /// A camera on a point, close enough to distinguish its neighbors.
  static func on(_ point: MapPoint) -> Self {
    Self(center: point, zoom: Self.nearest)
  }

  func zoomed(by factor: Double) -> Self {
    Self(center: self.center, zoom: self.zoom * factor)
  }

  /// - Parameters:
  ///   - x: To the right, in widths of the visible part.
  ///   - y: Down, in heights of the visible part.
  func moved(x: Double, y: Double) -> Self {
    Self(
      center: MapPoint(
        x: self.center.x + x * Self.width / self.zoom,
        y: self.center.y + y * Self.height / self.zoom
      ),
      zoom: self.zoom
    )
  }

  /// A camera on the area between two points, the first of which may be west of the world's edge.
  ///
  /// - Parameters:
  ///   - zoom: The minimum zoom.
  ///   - limit: The maximum zoom.
  static func around(
    _ least: MapPoint,
    _ most: MapPoint,
    zoom: Double,
    limit: Double = Self.zooms.upperBound
  ) -> Self {
    let (width, height) = (most.x - least.x, most.y - least.y)
    // With a margin.
    let fitting = 0.6 * min(Self.width / max(width, 0.001), Self.height / max(height, 0.001))
    // Rounded coarsely, because a page may have a hundred such links.
    func rounded(_ number: Double) -> Double { (number * 10).rounded() / 10 }
    return Self(
      center: MapPoint(x: rounded((least.x + most.x) / 2), y: rounded((least.y + most.y) / 2)),
      zoom: min(max(zoom, fitting), limit).rounded(.down)
    )
  }

  /// A camera on all points; `nil` if there are none.
  ///
  /// - Parameters:
  ///   - xs: Those of all points, in any order.
  ///   - ys: Those of all points, or at least the least and the greatest of them.
  /// - Complexity: O(n log n) for n points.
  static func around(xs: [Double], ys: [Double]) -> Self? {
    let xs = xs.sorted()
    guard let west = xs.first, let top = ys.min(), let bottom = ys.max() else { return nil }
    // From west to east, without the widest gap.
    let gaps = zip(xs, xs.dropFirst() + [west + Self.width]).map { $1 - $0 }
    let last = gaps.indices.max { gaps[$0] < gaps[$1] } ?? 0
    let isLast = last == xs.count - 1
    return .around(
      MapPoint(x: isLast ? west : xs[last + 1] - Self.width, y: top),
      MapPoint(x: xs[last], y: bottom),
      zoom: 1,
      limit: Self.nearest
    )
  }

  /// The zoom at which neighbors can be distinguished.
  private static let nearest = 8.0

  /// Whether it shows both sides of the line where the map's longitudes begin.
  var passesDateLine: Bool {
    abs(self.center.x) + Self.width / 2 / self.zoom > Self.width / 2
  }

  /// The `viewBox` of the SVG.
  var viewBox: String {
    let (width, height) = (Self.width / self.zoom, Self.height / self.zoom)
    return [self.center.x - width / 2, self.center.y - height / 2, width, height]
      .map { $0.decimal(3) }.joined(separator: " ")
  }
}

// Levels: at level 0 a unit of the map is a pixel, and at each further level twice as many.
// camera.js knows the size of the map on the screen.
extension MapCamera {
  static let levels = 0..<8

  /// The pixels per unit for pages without scripts, where the size of the map is unknown: between
  /// those of a phone and a large window. The marks are of a level that is right for both.
  private static let assumedScale = 1.6

  /// The level and the lower ones, for the style sheet: `0 1 2`.
  var levels: String {
    Self.levels.filter { Double(1 << $0) <= Self.assumedScale * self.zoom }
      .map { "\($0)" }.joined(separator: " ")
  }

  /// Whether the coarse land is not detailed enough.
  var isNear: Bool { self.zoom >= 2 }

  /// The font size, in units of the map.
  var textSize: String {
    (12 / Self.assumedScale / self.zoom).decimal(3)
  }
}

/// The form in the URL: x, y and zoom, separated by underscores.
extension MapCamera: LosslessStringConvertible {
  init?(_ description: String) {
    let numbers = description.split(separator: "_", omittingEmptySubsequences: false).map {
      Double($0).flatMap { $0.isFinite ? $0 : nil }
    }
    guard numbers.count == 3, let x = numbers[0], let y = numbers[1], let zoom = numbers[2]
    else { return nil }
    self.init(center: MapPoint(x: x, y: y), zoom: zoom)
  }

  var description: String {
    [self.center.x.decimal(2), self.center.y.decimal(2), self.zoom.decimal(2)]
      .joined(separator: "_")
  }
}

extension Double {
  /// The number with at most this many decimals, without trailing zeros.
  func decimal(_ digits: Int) -> String {
    let scale = (0..<digits).reduce(1.0) { scale, _ in scale * 10 }
    let rounded = (self * scale).rounded() / scale
    return rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
  }
}
