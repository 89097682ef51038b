import QuakesData

/// Decides which earthquakes have their own marker at a level of the map (``MapCamera/levels``),
/// and which are part of a cluster.
///
/// The strongest are placed first. An earthquake whose marker would be covered joins the nearest
/// marker that covers it. A cluster that would overlap a stronger one joins it, so that all numbers
/// can be read. An earthquake with a marker at a level has one at all higher levels.
struct MapClusters {
  /// Above these levels, each earthquake has its own marker. The first one is for maps that are
  /// smaller than level 0.
  static let levels = -1..<6

  /// The first level at which each earthquake has a marker.
  private(set) var firstLevels: [Int]
  private(set) var clusters: [MapCluster] = []

  /// The minimum distance of two markers, relative to the sum of their radii. They may overlap a
  /// little.
  private static let distance = 0.8
  /// The minimum radius of a marker, and of a cluster, whose number needs room, in pixels.
  private static let (radius, countingRadius) = (8.0, 13.0)
  /// How small a map can be at a level: LEVEL_SLACK in camera.js.
  private static let smallestScale = 0.9
  /// The size of the cells for the neighbor search, in pixels. Marks farther apart do not touch.
  private static let cell = 80.0

  /// - Parameter quakes: The strongest first.
  /// - Complexity: O(*n* · *k*) for *k* markers nearby. As these do not overlap, the size of the
  ///   map bounds it.
  init(_ quakes: [Quake]) {
    let marks = quakes.map(Mark.init)
    self.firstLevels = Array(repeating: Self.levels.upperBound, count: marks.count)
    /// For each mark the cluster of which it is the strongest, and the first level of that.
    var open: [(group: MapCluster.Group, first: Int)?] = Array(repeating: nil, count: marks.count)
    func close(_ index: Int, before level: Int) -> MapCluster? {
      open[index].map {
        MapCluster(quakes[index], group: $0.group, levels: $0.first..<level)
      }
    }
    for level in Self.levels {
      for (index, group) in self.gather(marks, at: level).enumerated() {
        let group = group.flatMap { $0.count > 1 ? $0 : nil }
        guard group != open[index]?.group else { continue }
        if let cluster = close(index, before: level) { self.clusters.append(cluster) }
        open[index] = group.map { ($0, level) }
      }
    }
    self.clusters += open.indices.compactMap { close($0, before: Self.levels.upperBound) }
    // Larger clusters are drawn on top of smaller ones.
    self.clusters.sort {
      ($0.count, $0.quake.quakeId, $0.first) < ($1.count, $1.quake.quakeId, $1.first)
    }
  }

  /// How many pixels a unit of the map has.
  private static func scale(of level: Int) -> Double {
    Double(sign: .plus, exponent: level, significand: 1)
  }

  /// Finds the clusters of a level.
  ///
  /// - Returns: For each mark the cluster of which it is the strongest; `nil` for those that joined
  ///   another.
  private mutating func gather(_ marks: [Mark], at level: Int) -> [MapCluster.Group?] {
    var groups: [MapCluster.Group?] = Array(repeating: nil, count: marks.count)
    // Once each has a marker, there are no clusters.
    if self.firstLevels.allSatisfy({ $0 < level }) { return groups }
    let scale = Self.scale(of: level)
    var grid = Grid(cell: Self.cell / scale, count: marks.count)
    for (index, mark) in marks.enumerated() where self.firstLevels[index] < level {
      grid.insert(index, at: mark.point)
      groups[index] = MapCluster.Group(mark.point)
    }
    for (index, mark) in marks.enumerated() where self.firstLevels[index] >= level {
      var nearest: (index: Int, distance: Double)?
      grid.forEach(around: mark.point) { other in
        let distance = marks[other].distance(to: mark) * scale
        let reach = Self.distance * (max(marks[other].radius, Self.countingRadius) + mark.radius)
        if distance < reach, distance < nearest?.distance ?? .infinity {
          nearest = (other, distance)
        }
      }
      if let nearest {
        groups[nearest.index]?.add(mark.point)
      } else {
        self.firstLevels[index] = level
        grid.insert(index, at: mark.point)
        groups[index] = MapCluster.Group(mark.point)
      }
    }
    self.join(&groups, marks, at: level)
    return groups
  }

  /// Joins clusters that overlap, until none do.
  private mutating func join(
    _ groups: inout [MapCluster.Group?],
    _ marks: [Mark],
    at level: Int
  ) {
    let scale = Self.scale(of: level) * Self.smallestScale
    var clusters = groups.indices.filter { groups[$0].map { $0.count > 1 } ?? false }
    var hasJoined = clusters.count > 1
    while hasJoined {
      hasJoined = false
      var grid = Grid(cell: Self.cell / scale, count: marks.count)
      var apart: [Int] = []
      for index in clusters {
        guard let group = groups[index] else { continue }
        let radius = marks[index].radius(counting: group.count)
        var nearest: (index: Int, distance: Double)?
        grid.forEach(around: marks[index].point) { other in
          guard let count = groups[other]?.count else { return }
          let distance = marks[other].distance(to: marks[index]) * scale
          let reach = marks[other].radius(counting: count) + radius
          if distance < reach, distance < nearest?.distance ?? .infinity {
            nearest = (other, distance)
          }
        }
        guard let nearest else {
          grid.insert(index, at: marks[index].point)
          apart.append(index)
          continue
        }
        hasJoined = true
        // The strongest of a cluster keeps the marker that it has had at lower levels.
        let keepsMarker = self.firstLevels[index] < level
        groups[nearest.index]?.add(group, except: keepsMarker ? 1 : 0)
        groups[index] = keepsMarker ? MapCluster.Group(marks[index].point) : nil
        if keepsMarker == false { self.firstLevels[index] = Self.levels.upperBound }
      }
      clusters = apart
    }
  }
}

extension MapClusters {
  private struct Mark {
    let point: MapPoint
    /// In pixels.
    let radius: Double
    private let size: Double

    init(_ quake: Quake) {
      self.point = quake.mapPoint
      self.size = quake.markerSize
      self.radius = max(quake.markerSize / 2, MapClusters.radius)
    }

    /// The radius as a cluster, in pixels, with its edge.
    func radius(counting count: Int) -> Double {
      MapCluster.size(of: self.size, counting: count) / 2 + 1
    }

    /// The shortest way around the world, in units of the map.
    func distance(to other: Self) -> Double {
      let x = self.point.x.turned(near: other.point.x) - other.point.x
      let y = self.point.y - other.point.y
      return (x * x + y * y).squareRoot()
    }
  }

  /// The marks by their cells of the map. Its west and east edges are adjacent.
  private struct Grid {
    private let cell: Double
    private let columns: Int
    private let rows: Int
    /// The last mark of each cell, and the previous mark in the cell for each mark; -1 for none.
    private var last: [Int32]
    private var before: [Int32]

    /// - Parameters:
    ///   - cell: The width of a cell, in units of the map.
    ///   - count: The maximum number of marks.
    init(cell: Double, count: Int) {
      self.cell = cell
      self.columns = Int(MapCamera.width / cell)
      self.rows = Int((MapCamera.height / cell).rounded(.up))
      self.last = Array(repeating: -1, count: self.columns * self.rows)
      self.before = Array(repeating: -1, count: count)
    }

    mutating func insert(_ index: Int, at point: MapPoint) {
      let (column, row) = self.position(point)
      self.before[index] = self.last[row * self.columns + column]
      self.last[row * self.columns + column] = Int32(index)
    }

    /// Visits the marks of a point's cell, and of those around it.
    func forEach(around point: MapPoint, _ body: (Int) -> Void) {
      let (column, row) = self.position(point)
      for x in (column - 1)...(column + 1) {
        let column = (x + self.columns) % self.columns
        for row in max(row - 1, 0)...min(row + 1, self.rows - 1) {
          var index = self.last[row * self.columns + column]
          while index >= 0 {
            body(Int(index))
            index = self.before[Int(index)]
          }
        }
      }
    }

    private func position(_ point: MapPoint) -> (column: Int, row: Int) {
      let column = Int(((point.x + MapCamera.width / 2) / self.cell).rounded(.down))
      let row = Int(((point.y + MapCamera.height / 2) / self.cell).rounded(.down))
      return (min(max(column, 0), self.columns - 1), min(max(row, 0), self.rows - 1))
    }
  }
}

/// Several earthquakes whose markers cover each other, as one mark with their number.
struct MapCluster: Identifiable, Hashable, Sendable {
  /// The strongest, whose position it has.
  let quake: Quake
  fileprivate let group: Group
  /// The levels at which it exists.
  let first: Int
  let last: Int
  let id: String

  fileprivate init(_ quake: Quake, group: Group, levels: Range<Int>) {
    self.quake = quake
    self.group = group
    self.first = levels.lowerBound
    self.last = levels.upperBound - 1
    self.id = "\(quake.quakeId).\(levels.lowerBound)"
  }

  var count: Int { self.group.count }

  /// A camera that shows each of them separately, if the map has enough room.
  var camera: MapCamera {
    .around(self.group.least, self.group.most, zoom: Double(1 << (self.last + 1)))
  }

  /// The diameter in pixels, with room for the number.
  var size: Double { Self.size(of: self.quake.markerSize, counting: self.count) }

  fileprivate static func size(of marker: Double, counting count: Int) -> Double {
    max(marker, 18 + 5 * Double("\(count)".count))
  }
}

extension MapCluster {
  /// The number of its earthquakes, and their bounds. Two clusters with equal numbers and bounds
  /// are equal.
  struct Group: Hashable, Sendable {
    private(set) var count = 1
    private(set) var least: MapPoint
    private(set) var most: MapPoint

    init(_ point: MapPoint) {
      self.least = point
      self.most = point
    }

    mutating func add(_ point: MapPoint) {
      let x = point.x.turned(near: self.least.x)
      self.count += 1
      self.least = MapPoint(x: min(self.least.x, x), y: min(self.least.y, point.y))
      self.most = MapPoint(x: max(self.most.x, x), y: max(self.most.y, point.y))
    }

    /// - Parameter number: How many of the other's earthquakes are not counted.
    mutating func add(_ other: Self, except number: Int) {
      let count = self.count + other.count - number
      let turn = other.least.x.turned(near: self.least.x) - other.least.x
      self.add(MapPoint(x: other.least.x + turn, y: other.least.y))
      self.add(MapPoint(x: other.most.x + turn, y: other.most.y))
      self.count = count
    }
  }
}

extension Double {
  /// The same longitude, plus as many turns around the world as bring it closest to another one.
  fileprivate func turned(near other: Double) -> Double {
    // Most are close, and rounding is slow.
    abs(other - self) < 180 ? self : self + 360 * ((other - self) / 360).rounded()
  }
}
