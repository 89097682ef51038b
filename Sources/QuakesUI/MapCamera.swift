/// What a map shows of the world: late local state, which only a page and its browser have.
///
/// `Public/QuakesUI/camera.js` moves it.
struct MapCamera: Hashable, Sendable {
  private let center: MapPoint
  /// How many times larger than the whole world.
  private let zoom: Double

  /// Of the map, in its units.
  static let width = 360.0
  static let height = 264.0
  private static let zooms = 1.0...64.0

  /// The whole world.
  static let world = Self(center: MapPoint(x: 0, y: 0), zoom: 1)

  /// - Parameters:
  ///   - center: Goes around the world from west to east, and is taken to the nearest latitude that keeps
  ///     the poles at the edge.
  ///   - zoom: Is taken to the nearest that there is, in hundredths, as the URL has it: what is near
  ///     the edge of the world depends on it.
  init(center: MapPoint, zoom: Double) {
    let zoom = (min(max(zoom, Self.zooms.lowerBound), Self.zooms.upperBound) * 100).rounded() / 100
    self.zoom = zoom
    // The poles are at the edge of the map, or beyond it; from west to east there is no edge. In
    // hundredths first: what is nearly 180 would be in the URL as 180, which is -180.
    let y = Self.height / 2 * (1 - 1 / zoom)
    let x = (center.x.truncatingRemainder(dividingBy: Self.width) * 100).rounded() / 100
    self.center = MapPoint(
      x: x - Self.width * ((x + Self.width / 2) / Self.width).rounded(.down),
      y: min(max(center.y, -y), y)
    )
  }
}

extension MapCamera {
  /// On what is there, near enough to tell its neighbors apart.
  static func on(_ point: MapPoint) -> Self {
    Self(center: point, zoom: 8)
  }

  func zoomed(by factor: Double) -> Self {
    Self(center: self.center, zoom: self.zoom * factor)
  }

  /// - Parameters:
  ///   - x: In widths of what is shown, to the right.
  ///   - y: In heights of what is shown, down.
  func moved(x: Double, y: Double) -> Self {
    Self(
      center: MapPoint(
        x: self.center.x + x * Self.width / self.zoom,
        y: self.center.y + y * Self.height / self.zoom
      ),
      zoom: self.zoom
    )
  }

  /// On what lies between two points, the first of which may be west of the world's edge.
  ///
  /// - Parameter least: Zooms so far at least.
  static func around(_ least: MapPoint, _ most: MapPoint, zoom: Double) -> Self {
    let (width, height) = (most.x - least.x, most.y - least.y)
    // With room around it.
    let fitting = 0.6 * min(Self.width / max(width, 0.001), Self.height / max(height, 0.001))
    // Roughly: there may be a hundred such links in a page.
    func rounded(_ number: Double) -> Double { (number * 10).rounded() / 10 }
    return Self(
      center: MapPoint(x: rounded((least.x + most.x) / 2), y: rounded((least.y + most.y) / 2)),
      zoom: max(zoom, fitting).rounded(.down)
    )
  }

  /// Whether it shows what is on both sides of the line where the map's longitudes begin.
  var passesDateLine: Bool {
    abs(self.center.x) + Self.width / 2 / self.zoom > Self.width / 2
  }

  /// The SVG's attribute.
  var viewBox: String {
    let (width, height) = (Self.width / self.zoom, Self.height / self.zoom)
    return [self.center.x - width / 2, self.center.y - height / 2, width, height]
      .map { $0.decimal(3) }.joined(separator: " ")
  }
}

// How near: at level 0 a unit of the map is a pixel, and at each further one twice as many. camera.js
// knows how large the map is on the screen.
extension MapCamera {
  static let levels = 0..<8

  /// Pixels of a unit where nobody knows how large the map is: for pages without scripts.
  private static let assumedScale = 2.0

  /// The level and those before it, for the style sheet: `0 1 2`.
  var levels: String {
    Self.levels.filter { Double(1 << $0) <= Self.assumedScale * self.zoom }
      .map { "\($0)" }.joined(separator: " ")
  }

  /// Whether the land of a first look is too coarse.
  var isNear: Bool { self.zoom >= 2 }

  /// Of what is written, in units of the map.
  var textSize: String {
    (12 / Self.assumedScale / self.zoom).decimal(3)
  }
}

/// As the URL has it: x, y and zoom, with underscores between.
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
  /// The number with so many digits behind the point at most, and none that says nothing.
  func decimal(_ digits: Int) -> String {
    let scale = (0..<digits).reduce(1.0) { scale, _ in scale * 10 }
    let rounded = (self * scale).rounded() / scale
    return rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
  }
}
