import Foundation
import ImmutableUI
import QuakesData
import TestSupport
import Testing

@testable import QuakesUI

struct MapProjectionTests {
  // Source: Snyder, Map Projections: A Working Manual, table 11, there in radii.
  @Test(arguments: [(0, 0), (30, 30.92), (45, 48.29), (60, 68.57), (90, 131.98)])
  func `latitudes follow the Miller projection`(latitude: Double, y: Double) {
    let point = MapPoint(longitude: 10, latitude: latitude)

    #expect(point.x == 10)
    #expect(abs(point.y + y) < 0.01)
    #expect(abs(MapPoint(longitude: 10, latitude: -latitude).y - y) < 0.01)
  }

  @Test(arguments: [-90.0, 90, -91, 1e300])
  func `every latitude is on the map`(latitude: Double) {
    #expect((-132...132).contains(MapPoint(longitude: 0, latitude: latitude).y))
  }
}

struct MapCameraTests {
  @Test func `a camera at the edge of the world survives a round trip through text`() throws {
    let text = try #require(MapCamera("103.404_0_2.34345")).description

    #expect(try #require(MapCamera(text)).description == text)
  }

  @Test(arguments: ["12.5_-40_8", "0_0_2", "-150.25_60.5_64"])
  func `a camera survives a round trip through its URL text`(text: String) throws {
    #expect(try #require(MapCamera(text)).description == text)
  }

  @Test(arguments: ["", "1", "1_2", "1_2_3_4", "a_2_3", "nan_0_2", "inf_0_2", "1_2_", "1__2"])
  func `text that is not a camera is rejected`(text: String) {
    #expect(MapCamera(text) == nil)
  }

  @Test(arguments: [
    ("0_0_0", "-180 -132 360 264"), ("0_0_-5", "-180 -132 360 264"),
    ("0_-1e300_2", "-90 -132 180 132"), ("0_0_1e300", "-2.813 -2.063 5.625 4.125"),
    // There is no edge in the west and in the east.
    ("500_0_2", "50 -66 180 132"), ("180_0_1", "-360 -132 360 264"), ("-200_0_4", "115 -33 90 66"),
    ("179.999_0_4", "-225 -33 90 66"),
  ])
  func `a camera stays in the world`(text: String, viewBox: String) throws {
    #expect(try #require(MapCamera(text)).viewBox == viewBox)
  }
}

struct FittingCameraTests {
  @Test(arguments: [
    ([], nil), ([(-149.6, -70.0)], "-149.6_-70_8"), ([(0, 0), (0, 0)], "0_0_8"),
    ([(-100, 0), (-20, 10)], "-60_5_2"), ([(-178, 0), (178, 0), (176, 4)], "179_2_8"),
    ([(-90, 0), (0, 0), (90, 0)], "0_0_1"),
  ])
  func `a camera shows all points, across the edge of the map if that is nearer`(
    points: [(Double, Double)],
    camera: String?
  ) {
    let found = MapCamera.around(xs: points.map(\.0), ys: points.map(\.1))

    #expect(found?.description == camera)
  }
}

struct MapCameraLevelTests {
  @Test(arguments: [
    ("0_0_1", "0"), ("0_0_1.25", "0 1"), ("0_0_2", "0 1"), ("0_0_4", "0 1 2"),
    ("0_0_64", "0 1 2 3 4 5 6"),
  ])
  func `each zoom level doubles the magnification`(text: String, levels: String) throws {
    #expect(try #require(MapCamera(text)).levels == levels)
  }

  @Test(arguments: [
    ("0_0_1", false), ("1_0_1", true), ("90_0_2", false), ("90.01_0_2", true), ("-175_0_64", false),
    ("-179_0_64", true),
  ])
  func `a camera knows whether it passes the date line`(text: String, passes: Bool) throws {
    let camera = try #require(MapCamera(text))

    #expect(camera.passesDateLine == passes)
  }
}

struct MapClustersTests {
  /// - Parameters:
  ///   - places: Longitudes on the equator.
  ///   - magnitudes: The strongest first.
  private func clusters(_ places: [Double], _ magnitudes: [Double]) -> MapClusters {
    MapClusters(
      zip(places, magnitudes).enumerated().map { index, quake in
        .make("q\(index)", magnitude: quake.1, longitude: quake.0)
      }
    )
  }

  @Test func `distant earthquakes are not clustered`() {
    let clusters = self.clusters([-90, 0, 90], [5, 4, 1])

    #expect(clusters.firstLevels == [-1, -1, -1])
    #expect(clusters.clusters.isEmpty)
  }

  @Test func `covered earthquakes are counted by the strongest until there is room`() throws {
    let clusters = self.clusters([0, 4, 100], [5, 1, 1])

    #expect(clusters.firstLevels == [-1, 3, -1])
    let cluster = try #require(clusters.clusters.first)
    #expect(clusters.clusters.count == 1)
    #expect(cluster.quake.quakeId == "q0")
    #expect(cluster.count == 2)
    #expect(cluster.first == -1)
    #expect(cluster.last == 2)
    #expect(cluster.camera.description == "2_0_54")
  }

  @Test func `an earthquake between two markers joins the stronger one`() {
    let clusters = self.clusters([0, 8, 4], [5, 4, 1])

    #expect(clusters.firstLevels == [-1, 2, 3])
    #expect(clusters.clusters.map(\.quake.quakeId) == ["q0", "q0"])
    #expect(clusters.clusters.map(\.first) == [2, -1])
    #expect(clusters.clusters.map { $0.count } == [2, 3])
  }

  @Test func `a cluster can span the date line`() throws {
    let cluster = try #require(self.clusters([179, -179], [5, 4]).clusters.first)

    #expect(cluster.count == 2)
    #expect(cluster.camera.description.hasPrefix("-180_0_"))
  }

  @Test func `at the nearest level every earthquake has a marker, even at one place`() {
    let clusters = self.clusters([10, 10, 10], [5, 4, 1])

    #expect(clusters.firstLevels == [-1, 6, 6])
    let counts = clusters.clusters.map { $0.count }
    #expect(counts == [3])
    #expect(clusters.clusters.first?.last == 5)
  }

  @Test(arguments: [1, 2, 3])
  func `every earthquake is shown or counted exactly once at each level`(
    seed: UInt64
  ) {
    var random = SeededGenerator(seed: seed)
    let quakes = (0..<300).map { index in
      Quake.make(
        "q\(index)",
        magnitude: Double.random(in: 0...8, using: &random),
        longitude: Double.random(in: -180...180, using: &random),
        latitude: Double.random(in: -80...80, using: &random)
      )
    }
    .sorted { $0.magnitude > $1.magnitude }

    let clusters = MapClusters(quakes)

    for level in -1...6 {
      let shown = zip(quakes, clusters.firstLevels).filter { $0.1 <= level }.map(\.0)
      if level < 6 { Self.expectDistance(amongst: shown, at: level) }
      let counting = clusters.clusters.filter { ($0.first...$0.last).contains(level) }
      let counted = counting.map { $0.count - 1 }.reduce(0, +)
      #expect(shown.count + counted == 300)
      let strongest = Set(counting.map(\.quake.quakeId))
      #expect(strongest.isSubset(of: shown.map(\.quakeId)))
      #expect(strongest.count == counting.count)
    }
    let again = MapClusters(quakes).clusters
    #expect(again == clusters.clusters)
    #expect(Set(again.map(\.id)).count == again.count)
  }

  /// Each marker is found by those that it would cover, wherever they are.
  private static func expectDistance(amongst quakes: [Quake], at level: Int) {
    let marks = quakes.map { (point: $0.mapPoint, radius: max($0.markerSize / 2, 8)) }
    let least = marks.enumerated().flatMap { index, one in
      marks.dropFirst(index + 1).map { other in
        let x = (one.point.x - other.point.x).remainder(dividingBy: 360)
        let y = one.point.y - other.point.y
        return (x * x + y * y).squareRoot() * exp2(Double(level)) / (one.radius + other.radius)
      }
    }.min()
    #expect(least ?? 1 >= 0.8 - 1e-9)
  }

  /// Swarms across the date line, and earthquakes of half the world.
  @Test(arguments: [(1.0, 400), (8, 700), (120, 1_000)], [1, 2] as [UInt64])
  func `clusters do not overlap at any level`(_ spread: (width: Double, count: Int), seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let width = spread.width
    let quakes = (0..<spread.count).map { index in
      Quake.make(
        "q\(index)",
        magnitude: Double.random(in: 0.5...7, using: &random),
        longitude: 179 + Double.random(in: -width...width, using: &random),
        latitude: Double.random(in: -width...width, using: &random) / 2
      )
    }
    .sorted { $0.magnitude > $1.magnitude }

    let clusters = MapClusters(quakes).clusters

    for level in MapClusters.levels {
      // The smallest map at this level: LEVEL_SLACK in camera.js.
      let scale = exp2(Double(level) - 0.15)
      let shown = clusters.filter { ($0.first...$0.last).contains(level) }
      #expect(shown.isEmpty == false)
      for (index, one) in shown.enumerated() {
        for other in shown.dropFirst(index + 1) {
          let (a, b) = (one.quake.mapPoint, other.quake.mapPoint)
          let x = (a.x - b.x).remainder(dividingBy: 360)
          let distance = (x * x + (a.y - b.y) * (a.y - b.y)).squareRoot() * scale
          #expect(distance >= (one.size + other.size) / 2 + 2, "\(one.id) and \(other.id)")
        }
      }
    }
  }

  /// What a delete changes is rendered and sent again, for every window.
  @Test(arguments: [1, 2, 3] as [UInt64])
  func `a delete in a dense swarm changes few marks`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let quakes = (0..<500).map { index in
      Quake.make(
        "q\(index)",
        magnitude: Double.random(in: 0.5...4, using: &random),
        longitude: Double.random(in: -117...(-115), using: &random),
        latitude: Double.random(in: 33...35, using: &random)
      )
    }
    .sorted { $0.magnitude > $1.magnitude }
    let before = Self.marks(quakes)

    let changes = stride(from: 0, to: quakes.count, by: 5).map { index in
      var rest = quakes
      rest.remove(at: index)
      let after = Self.marks(rest)
      return after.filter { before[$0.key] != $0.value }.count
    }

    // Mostly the marks that have counted it, one for each level; of the strongest their neighbors' too.
    #expect(changes.reduce(0, +) <= 6 * changes.count)
    #expect((changes.max() ?? 0) <= 50)
  }

  /// What is rendered of each mark.
  private static func marks(_ quakes: [Quake]) -> [String: AnyHashable] {
    let clusters = MapClusters(quakes)
    let markers = zip(quakes, clusters.firstLevels).map { ($0.id, AnyHashable($1)) }
    let counting = clusters.clusters.map { ("\($0.id)", AnyHashable($0)) }
    return Dictionary(uniqueKeysWithValues: markers + counting)
  }
}

struct CalendarDayTests {
  @Test(arguments: ["2018-02-07", "2024-02-29", "0001-01-01", "9999-12-31"])
  func `a day is in the URL in the format of date fields`(text: String) throws {
    #expect(try #require(CalendarDay(text)).description == text)
  }

  @Test(arguments: [
    "", "2018-02-30", "2023-02-29", "2018-13-01", "2018-00-01", "0000-01-01", "2018-2-7",
    "2018-02-07 ", "18-02-07", "2018-02-07T00:00", "+018-02-07", "٢٠١٨-٠٢-٠٧",
  ])
  func `text that is not a day is rejected`(text: String) {
    #expect(CalendarDay(text) == nil)
  }

  @Test(arguments: [
    ("2018-02-07", "UTC", 24), ("2018-03-11", "America/New_York", 23),
    ("2018-11-04", "America/New_York", 25), ("2018-11-04", "America/Sao_Paulo", 23),
    ("2018-04-01", "Australia/Lord_Howe", 24.5),
    // Clocks are put forward or back at midnight.
    ("2026-04-04", "America/Santiago", 25), ("2026-09-06", "America/Santiago", 23),
    ("2026-10-29", "Africa/Cairo", 25), ("2026-04-24", "Africa/Cairo", 23),
    ("2026-10-24", "Asia/Beirut", 25), ("2026-03-29", "Asia/Beirut", 23),
    ("2026-11-01", "America/Havana", 25), ("2026-03-08", "America/Havana", 23),
  ])
  func `the length of a day follows daylight saving time`(text: String, zone: String, hours: Double)
    throws
  {
    let timeZone = try #require(TimeZone(identifier: zone))

    let interval = try #require(CalendarDay(text)).interval(in: timeZone)

    #expect(interval.upperBound.timeIntervalSince(interval.lowerBound) == hours * 3_600)
    #expect(CalendarDay(of: interval.lowerBound, in: timeZone).description == text)
    #expect(CalendarDay(of: interval.upperBound, in: timeZone).description != text)
  }

  @Test(arguments: [("2011-12-30", "Pacific/Apia"), ("1994-12-31", "Pacific/Kiritimati")])
  func `a day that a time zone skipped is empty and lies between its neighbors`(
    text: String, zone: String
  ) throws {
    let (day, timeZone) = (
      try #require(CalendarDay(text)), try #require(TimeZone(identifier: zone))
    )

    let interval = day.interval(in: timeZone)

    #expect(interval.isEmpty)
    #expect(day.advanced(by: -1).interval(in: timeZone).upperBound == interval.lowerBound)
    #expect(day.advanced(by: 1).interval(in: timeZone).lowerBound == interval.lowerBound)
  }

  @Test func `days advance by the calendar within its limits`() throws {
    let day = try #require(CalendarDay("2024-02-28"))

    #expect(day.advanced(by: 1).description == "2024-02-29")
    #expect(day.advanced(by: 2).description == "2024-03-01")
    #expect(day.advanced(by: -59).description == "2023-12-31")
    #expect(CalendarDay("9999-12-31")?.advanced(by: 1).description == "9999-12-31")
    #expect(CalendarDay("0001-01-01")?.advanced(by: -1).description == "0001-01-01")
    #expect(CalendarDay("0001-01-02")?.advanced(by: -1).description == "0001-01-01")
  }
}

struct QuakeUtilsTests {
  @Test(
    arguments: zip(
      Quake.previewQuakes,
      [
        .minor, .minor, .light, .light, .moderate, .moderate, .strong, .strong,
      ] as [MagnitudeClass]))
  func `every sample earthquake has its magnitude class`(
    quake: Quake, magnitudeClass: MagnitudeClass
  ) {
    #expect(quake.magnitudeClass == magnitudeClass)
  }

  @Test(
    arguments: [
      (-0.5, .minor), (2.44, .minor), (2.46, .light), (4.44, .light), (4.46, .moderate),
      (5.94, .moderate), (6, .strong), (.infinity, .strong),
    ] as [(Double, MagnitudeClass)])
  func `magnitude classes use the rounded magnitude that is shown`(
    magnitude: Double,
    magnitudeClass: MagnitudeClass
  ) {
    #expect(Quake.make("a", magnitude: magnitude).magnitudeClass == magnitudeClass)
  }

  @Test(arguments: [(4.5, "4.5"), (5, "5.0"), (0.04, "0.0"), (2.96, "3.0"), (10.25, "10.2")])
  func `magnitudes have one decimal`(magnitude: Double, text: String) {
    #expect(Quake.make("a", magnitude: magnitude).magnitudeString == text)
  }

  @Test func `magnitudes are written as Foundation formats them`() {
    for hundredths in -200...10_000 {
      let magnitude = Double(hundredths) / 100
      #expect(
        Quake.make("a", magnitude: magnitude).magnitudeString == magnitude.formatted(.magnitude))
    }
  }

  @Test func `markers grow with the magnitude, and the smallest can still be pressed`() {
    let sizes = Quake.previewQuakes.map(\.markerSize)

    #expect(sizes == sizes.sorted())
    #expect(sizes.first ?? 0 >= 8)
    #expect(sizes.last ?? .infinity <= 48)
    #expect(Quake.make("a", magnitude: -1).markerSize == Quake.make("b", magnitude: 0).markerSize)
  }
}

struct QuakeRowTests {
  private static func search(_ zone: String) throws -> QuakeList.Search {
    var local = QuakesLocal()
    let timeZone = try #require(TimeZone(identifier: zone))
    local.resolve(in: WindowEnvironment(timeZone: timeZone, date: .noon))
    return local.search
  }

  @Test(arguments: [
    ("UTC", 0, "12:00 AM"), ("UTC", 1, "1:00 AM"), ("UTC", 12, "12:00 PM"), ("UTC", 23, "11:00 PM"),
    ("Asia/Kolkata", 12, "5:30 PM"), ("America/New_York", 1, "8:00 PM"),
    ("Pacific/Kiritimati", 12, "2:00 AM"),
  ])
  func `a row shows the time in the window's zone`(zone: String, hour: Int, text: String) throws {
    let row = QuakeRow(.make("a", time: .at(hour)), in: try Self.search(zone))

    #expect(row.clock.text == text)
  }

  @Test func `rows of zones whose clocks agree are equal`() throws {
    let quake = Quake.make("a")

    let berlin = QuakeRow(quake, in: try Self.search("Europe/Berlin"))

    #expect(berlin == QuakeRow(quake, in: try Self.search("Europe/Paris")))
    #expect(berlin != QuakeRow(quake, in: try Self.search("Europe/London")))
  }
}

struct DaySpanTests {
  private func span(_ day: String, today: String, zone: String = "UTC") throws -> DaySpan {
    DaySpan(
      with: try #require(CalendarDay(day)),
      today: try #require(CalendarDay(today)),
      in: try #require(TimeZone(identifier: zone))
    )
  }

  @Test(arguments: [
    ("2018-03-02", "2018-03-02"), ("2018-02-01", "2018-03-02"), ("2018-01-31", "2018-01-31"),
    ("2018-01-02", "2018-01-31"), ("2018-01-01", "2018-01-01"), ("2018-03-09", "2018-03-02"),
  ])
  func `a span of thirty days ends today or a multiple of thirty days earlier`(
    day: String, last: String
  ) throws {
    let span = try self.span(day, today: "2018-03-02")

    #expect(span.last.description == last)
    #expect(span.days.count == 30)
    #expect(span.days.last == span.last)
    #expect(span.first == span.days.first)
  }

  @Test(arguments: ["UTC", "America/New_York", "Africa/Casablanca", "Australia/Lord_Howe"])
  func `days begin where the calendar begins them`(zone: String) throws {
    let timeZone = try #require(TimeZone(identifier: zone))

    for today in ["2018-03-25", "2018-06-20", "2018-11-20"] {
      let span = try self.span(today, today: today, zone: zone)
      let days = span.days.map { $0.interval(in: timeZone) }

      #expect(span.bounds == days.map(\.lowerBound) + [try #require(days.last).upperBound])
    }
  }

  @Test func `spans of zones whose days agree are equal`() throws {
    let berlin = try self.span("2018-02-07", today: "2018-02-07", zone: "Europe/Berlin")

    #expect(berlin == (try self.span("2018-02-07", today: "2018-02-07", zone: "Europe/Paris")))
    #expect(berlin != (try self.span("2018-02-07", today: "2018-02-07", zone: "Europe/London")))
  }
}
