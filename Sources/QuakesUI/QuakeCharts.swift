import Foundation
import ImmutableUI
import QuakesData

/// The strength and depth of the listed earthquakes: two charts, each with a table.
struct QuakeCharts: Presenter, Hashable {
  @SelectQuakesValues private var quakes: SortedRows<Quake>
  private let day: CalendarDay

  init(_ local: QuakesLocal) {
    self._quakes = SelectQuakesValues(local.search, QuakeMarkers.sort)
    self.day = local.search.day
  }

  static let template = Template<Self>([
    .flag("isEmpty") { $0.quakes.isEmpty },
    .text("summary") {
      "\($0.quakes.count.counting("earthquake", "earthquakes")) of \($0.day.text)"
    },
    .nested("magnitudes", MagnitudeChart.slots) { MagnitudeChart(Array($0.quakes)) },
    .nested("depths", DepthChart.slots) { DepthChart(Array($0.quakes)) },
  ])
}

/// The box in which both charts are drawn; y goes down.
private enum Plot {
  static let (left, right, top, bottom) = (36.0, 352.0, 8.0, 168.0)
  static let slots: Slots<Tick> = [
    .text("at") { $0.at.decimal(1) },
    .text("text") { $0.text },
  ]

  /// A horizontal or vertical line in the chart, with its label.
  struct Tick: Sendable {
    let at: Double
    let text: String
  }
}

/// The number of earthquakes of each half magnitude.
struct MagnitudeChart: Sendable {
  /// The earthquakes of one half magnitude, up to but excluding the next.
  struct Bin: Hashable, Sendable {
    /// 0 for magnitudes of zero and below, 1 for half a magnitude.
    let index: Int
    let count: Int

    /// Text for people, for example `2.5 to 2.9`.
    var name: String {
      self.index == 0 ? "Below 0.5" : "\(Self.text(self.index, 0)) to \(Self.text(self.index, 4))"
    }

    var magnitudeClass: MagnitudeClass { MagnitudeClass(of: Double(self.index) / 2) }

    private static func text(_ index: Int, _ tenths: Int) -> String {
      (Double(index) / 2 + Double(tenths) / 10).formatted(.magnitude)
    }
  }

  let bins: [Bin]

  /// - Complexity: O(n), n quakes.
  init(_ quakes: [Quake]) {
    let indices = quakes.map { Int(min(max($0.roundedMagnitude * 2, 0), 24)) }
    var counts = Array(repeating: 0, count: (indices.max() ?? 0) + 1)
    for index in indices { counts[index] += 1 }
    self.bins = counts.enumerated().map { Bin(index: $0, count: $1) }
  }

  private var most: Int { self.bins.map(\.count).max() ?? 0 }
  private var width: Double { (Plot.right - Plot.left) / Double(self.bins.count) }

  private func x(_ index: Int) -> Double { Plot.left + Double(index) * self.width }

  private func height(_ count: Int) -> Double {
    (Plot.bottom - Plot.top) * Double(count) / Double(max(self.most, 1))
  }

  private struct Bar: Sendable {
    let bin: Bin
    let x: Double
    let width: Double
    let height: Double
  }

  private var bars: [Bar] {
    self.bins.filter { $0.count > 0 }.map { bin in
      let height = max(self.height(bin.count), 1.5)
      return Bar(bin: bin, x: self.x(bin.index) + 0.5, width: self.width - 1, height: height)
    }
  }

  static let slots: Slots<Self> = [
    .text("most") { $0.most.grouped },
    .each(
      "bars",
      [
        .text("class") { $0.bin.magnitudeClass.rawValue },
        .text("x") { $0.x.decimal(1) },
        .text("y") { (Plot.bottom - $0.height).decimal(1) },
        .text("width") { $0.width.decimal(1) },
        .text("height") { $0.height.decimal(1) },
      ]
    ) { $0.bars },
    .each("ticks", Plot.slots) { chart in
      chart.bins.indices.filter { $0.isMultiple(of: 2) }.map {
        Plot.Tick(at: chart.x($0), text: "\($0 / 2)")
      }
    },
    .each("rows", [.text("name") { $0.name }, .text("count") { $0.count.grouped }]) {
      $0.bins.filter { $0.count > 0 }.reversed()
    },
  ]
}

/// The depths of the earthquakes by their magnitude.
struct DepthChart: Sendable {
  /// The strongest earthquakes with a known depth.
  let quakes: [(magnitude: Double, depth: Double, magnitudeClass: MagnitudeClass)]
  let unknown: Int

  /// The lower bounds of the layers, in kilometers. Seismology has names for depths below 70 and
  /// 300.
  private static let layers = [
    (0.0, "Above 10 km"), (10, "10 to 70 km"), (70, "70 to 300 km"), (300, "Below 300 km"),
  ]

  /// - Parameter quakes: The strongest first.
  /// - Complexity: O(n), n quakes.
  init(_ quakes: [Quake]) {
    self.unknown = quakes.count { $0.depth == nil }
    self.quakes = quakes.compactMap { quake in
      quake.depth.map { (quake.roundedMagnitude, $0, quake.magnitudeClass) }
    }
  }

  private var deepest: Double {
    let depth = self.quakes.map(\.depth).max() ?? 0
    return [20, 50, 100, 200, 300, 400, 500, 600].first { depth <= $0 } ?? 800
  }

  private var strongest: Double { max((self.quakes.map(\.magnitude).max() ?? 0).rounded(.up), 1) }

  private func x(_ magnitude: Double) -> Double {
    Plot.left + (Plot.right - Plot.left) * min(max(magnitude / self.strongest, 0), 1)
  }

  private func y(_ depth: Double) -> Double {
    Plot.top + (Plot.bottom - Plot.top) * min(max(depth / self.deepest, 0), 1)
  }

  /// A disk for each earthquake of a class, which is a line without length and with round ends.
  private struct Disks: Sendable {
    let magnitudeClass: MagnitudeClass
    let d: String
  }

  private var disks: [Disks] {
    // The same number as on the map.
    let shown = self.quakes.prefix(QuakeMarkers.limit)
    return MagnitudeClass.allCases.compactMap { magnitudeClass in
      let lines = shown.filter { $0.magnitudeClass == magnitudeClass }.map {
        "M\(self.x($0.magnitude).decimal(1)) \(self.y($0.depth).decimal(1))h.01"
      }
      return lines.isEmpty ? nil : Disks(magnitudeClass: magnitudeClass, d: lines.joined())
    }
  }

  /// The number of earthquakes in a layer, by class.
  private struct Layer: Sendable {
    let name: String
    let counts: [Int]
  }

  private var layers: [Layer] {
    Self.layers.enumerated().map { index, layer in
      let end = index + 1 < Self.layers.count ? Self.layers[index + 1].0 : .infinity
      let start = index == 0 ? -.infinity : layer.0
      let within = self.quakes.filter { start <= $0.depth && $0.depth < end }
      let counts = MagnitudeClass.allCases.map { magnitudeClass in
        within.count { $0.magnitudeClass == magnitudeClass }
      }
      return Layer(name: layer.1, counts: counts)
    }
  }

  static let slots: Slots<Self> = [
    .flag("isEmpty") { $0.quakes.isEmpty },
    .text("unknown") { $0.unknown == 0 ? "" : $0.unknown.counting("earthquake", "earthquakes") },
    .each("disks", [.text("class") { $0.magnitudeClass.rawValue }, .text("d") { $0.d }]) {
      $0.disks
    },
    .each("magnitudes", Plot.slots) { chart in
      (0...Int(chart.strongest)).map { Plot.Tick(at: chart.x(Double($0)), text: "\($0)") }
    },
    .each("depths", Plot.slots) { chart in
      [0, chart.deepest / 2, chart.deepest].map {
        Plot.Tick(at: chart.y($0), text: $0.decimal(0))
      }
    },
    .each("classes", [.text("name") { $0.name }]) { _ in MagnitudeClass.allCases },
    .each(
      "rows",
      [
        .text("name") { $0.name },
        .each("counts", [.text("count") { $0.grouped }]) { $0.counts },
      ]
    ) { $0.layers },
  ]
}
