import QuakesData

/// Decides which earthquakes have their own marker at a level of the map (``MapCamera/levels``),
/// and which are part of a cluster.
///
/// The strongest are placed first. An earthquake whose marker would be covered joins the nearest
/// marker that covers it; of several equally near, the strongest. A cluster that would overlap a
/// stronger one joins it, so that all numbers can be read. An earthquake with a marker at a level has
/// one at all higher levels.
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
    let pixel = 1 / Self.scale(of: level)
    // A mark reaches no farther as a marker than as a cluster.
    let reach = 2 * marks.reduce(0) { max($0, $1.countingReach) }
    var grid = Grid(cell: reach * pixel, count: marks.count)
    for (index, mark) in marks.enumerated() where self.firstLevels[index] < level {
      grid.insert(index, at: mark.point)
      groups[index] = MapCluster.Group(mark.point)
    }
    for (index, mark) in marks.enumerated() where self.firstLevels[index] >= level {
      let nearest = grid.nearest(to: mark, of: marks) { other in
        (marks[other].countingReach + mark.reach) * pixel
      }
      if let nearest {
        groups[nearest]?.add(mark.point)
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
    let pixel = 1 / (Self.scale(of: level) * Self.smallestScale)
    var clusters = groups.indices.filter { groups[$0].map { $0.count > 1 } ?? false }
    let reach = 2 * clusters.reduce(0) { max($0, marks[$1].radius(counting: marks.count)) }
    var hasJoined = clusters.count > 1
    while hasJoined {
      hasJoined = false
      var grid = Grid(cell: reach * pixel, count: marks.count)
      var apart: [Int] = []
      for index in clusters {
        guard let group = groups[index] else { continue }
        let radius = marks[index].radius(counting: group.count)
        let nearest = grid.nearest(to: marks[index], of: marks) { other in
          (marks[other].radius(counting: groups[other]?.count ?? 1) + radius) * pixel
        }
        guard let nearest else {
          grid.insert(index, at: marks[index].point)
          apart.append(index)
          continue
        }
        hasJoined = true
        // The strongest of a cluster keeps the marker that it has had at lower levels.
        let keepsMarker = self.firstLevels[index] < level
        groups[nearest]?.add(group, except: keepsMarker ? 1 : 0)
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
    /// How near another mark may come, in pixels; added to that of the other mark.
    let reach: Double
    /// The same for a mark that may be a cluster.
    let countingReach: Double
    /// The diameter of the marker, in pixels.
    private let size: Double

    init(_ quake: Quake) {
      self.point = quake.mapPoint
      self.size = quake.markerSize
      let radius = max(self.size / 2, MapClusters.radius)
      self.reach = MapClusters.distance * radius
      self.countingReach = MapClusters.distance * max(radius, MapClusters.countingRadius)
    }

    /// The radius as a cluster, in pixels, with its edge.
    func radius(counting count: Int) -> Double {
      MapCluster.size(of: self.size, counting: count) / 2 + 1
    }

    /// The square of the distance, the shortest way around the world, in units of the map.
    func squaredDistance(to other: Self) -> Double {
      let along = abs(self.point.x - other.point.x)
      let (x, y) = (min(along, MapCamera.width - along), self.point.y - other.point.y)
      return x * x + y * y
    }
  }

  /// The marks by their cells of the map, whose west and east edges are adjacent. Several cells can
  /// share a slot, so that small cells need no large table.
  private struct Grid {
    /// The number of cells in a unit of the map.
    private let density: Double
    private let columns: Int
    /// The last mark of each slot, and the previous mark in the slot for each mark; -1 for none.
    private var last: [Int32]
    private var before: [Int32]

    /// - Parameters:
    ///   - cell: The width of a cell, in units of the map. Marks farther apart do not touch.
    ///   - count: The maximum number of marks.
    init(cell: Double, count: Int) {
      self.density = 1 / cell
      self.columns = max(Int(MapCamera.width / cell), 1)
      var slots = 64
      while slots < 2 * count { slots *= 2 }
      self.last = Array(repeating: -1, count: slots)
      self.before = Array(repeating: -1, count: count)
    }

    mutating func insert(_ index: Int, at point: MapPoint) {
      let (column, row) = self.position(point)
      let slot = self.slot(column, row)
      self.before[index] = self.last[slot]
      self.last[slot] = Int32(index)
    }

    /// The nearest mark that is within reach; of several equally near, the strongest.
    ///
    /// - Parameters:
    ///   - marks: All marks.
    ///   - reach: How near a mark has to be, in units of the map; at most the width of a cell.
    func nearest(to mark: Mark, of marks: [Mark], within reach: (Int) -> Double) -> Int? {
      // Distances are compared as squares, because roots are slow.
      var (nearest, least) = (Int.max, Double.infinity)
      let (column, row) = self.position(mark.point)
      for x in (column - 1)...(column + 1) {
        let x = x < 0 ? self.columns - 1 : x < self.columns ? x : 0
        for y in (row - 1)...(row + 1) {
          var index = Int(self.last[self.slot(x, y)])
          while index >= 0 {
            let distance = marks[index].squaredDistance(to: mark)
            if distance < least || distance == least && index < nearest {
              let limit = reach(index)
              if distance < limit * limit { (nearest, least) = (index, distance) }
            }
            index = Int(self.before[index])
          }
        }
      }
      return nearest < .max ? nearest : nil
    }

    private func slot(_ column: Int, _ row: Int) -> Int {
      (column + 37 * row) & (self.last.count - 1)
    }

    private func position(_ point: MapPoint) -> (column: Int, row: Int) {
      // From the corner of the map, so that both are positive.
      let column = Int((point.x + MapCamera.width / 2) * self.density)
      let row = Int((point.y + MapCamera.height / 2) * self.density)
      return (min(column, self.columns - 1), row)
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

  fileprivate init(_ quake: Quake, group: Group, levels: Range<Int>) {
    self.quake = quake
    self.group = group
    self.first = levels.lowerBound
    self.last = levels.upperBound - 1
  }

  struct ID: Hashable, Sendable, CustomStringConvertible {
    fileprivate let quakeId: Quake.ID
    fileprivate let level: Int

    var description: String { "\(self.quakeId).\(self.level)" }
  }

  var id: ID { ID(quakeId: self.quake.quakeId, level: self.first) }

  var count: Int { self.group.count }

  /// A camera that shows each of them separately, if the map has enough room.
  var camera: MapCamera {
    .around(self.group.least, self.group.most, zoom: Double(1 << (self.last + 1)))
  }

  /// The diameter in pixels, with room for the number.
  var size: Double { Self.size(of: self.quake.markerSize, counting: self.count) }

  fileprivate static func size(of marker: Double, counting count: Int) -> Double {
    var (digits, rest) = (1, count / 10)
    while rest > 0 { (digits, rest) = (digits + 1, rest / 10) }
    return max(marker, 18 + 5 * Double(digits))
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
