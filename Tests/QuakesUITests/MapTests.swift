import Foundation
import QuakesData
import Testing

@testable import QuakesUI

struct MapProjectionTests {
  // Source: Snyder, Map Projections: A Working Manual, table 11, there in radii.
  @Test(arguments: [(0, 0), (30, 30.92), (45, 48.29), (60, 68.57), (90, 131.98)])
  func `latitudes are where Miller has them`(latitude: Double, y: Double) {
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
  @Test func `at the edge of the world it is where its own text says`() throws {
    let text = try #require(MapCamera("103.404_0_2.34345")).description

    #expect(try #require(MapCamera(text)).description == text)
  }

  @Test(arguments: ["12.5_-40_8", "0_0_2", "-150.25_60.5_64"])
  func `a camera is in the URL as it was`(text: String) throws {
    #expect(try #require(MapCamera(text)).description == text)
  }

  @Test(arguments: ["", "1", "1_2", "1_2_3_4", "a_2_3", "nan_0_2", "inf_0_2", "1_2_", "1__2"])
  func `what is no camera is none`(text: String) {
    #expect(MapCamera(text) == nil)
  }

  @Test(arguments: [
    ("0_0_0", "-180 -132 360 264"), ("0_0_-5", "-180 -132 360 264"),
    ("500_0_2", "0 -66 180 132"), ("0_-1e300_2", "-90 -132 180 132"),
    ("0_0_1e300", "-2.813 -2.063 5.625 4.125"),
  ])
  func `a camera stays in the world`(text: String, viewBox: String) throws {
    #expect(try #require(MapCamera(text)).viewBox == viewBox)
  }
}

struct CalendarDayTests {
  @Test(arguments: ["2018-02-07", "2024-02-29", "0001-01-01", "9999-12-31"])
  func `a day is in the URL as date fields have it`(text: String) throws {
    #expect(try #require(CalendarDay(text)).description == text)
  }

  @Test(arguments: [
    "", "2018-02-30", "2023-02-29", "2018-13-01", "2018-00-01", "0000-01-01", "2018-2-7",
    "2018-02-07 ", "18-02-07", "2018-02-07T00:00", "+018-02-07", "٢٠١٨-٠٢-٠٧",
  ])
  func `what is no day is none`(text: String) {
    #expect(CalendarDay(text) == nil)
  }

  @Test(arguments: [
    ("2018-02-07", "UTC", 24), ("2018-03-11", "America/New_York", 23),
    ("2018-11-04", "America/New_York", 25), ("2018-11-04", "America/Sao_Paulo", 23),
    ("2018-04-01", "Australia/Lord_Howe", 24.5),
  ])
  func `a day is as long as clocks make it`(text: String, zone: String, hours: Double) throws {
    let timeZone = try #require(TimeZone(identifier: zone))

    let interval = try #require(CalendarDay(text)).interval(in: timeZone)

    #expect(interval.upperBound.timeIntervalSince(interval.lowerBound) == hours * 3_600)
    #expect(CalendarDay(of: interval.lowerBound, in: timeZone).description == text)
    #expect(CalendarDay(of: interval.upperBound, in: timeZone).description != text)
  }

  @Test func `a day leads to the next`() throws {
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
        "green", "yellow", "orange", "red", "red", "purple", "purple", "indigo",
      ]))
  func `magnitudes have the guide's colors`(quake: Quake, color: String) {
    #expect(quake.color == color)
  }

  @Test(arguments: [
    (-0.5, "gray"), (0, "green"), (1, "yellow"), (7, "indigo"), (.infinity, "gray"),
  ])
  func `the edges of colors are the guide's`(magnitude: Double, color: String) {
    #expect(Quake.make("a", magnitude: magnitude).color == color)
  }

  @Test(arguments: [(4.5, "4.5"), (5, "5.0"), (0.04, "0.0"), (2.96, "3.0"), (10.25, "10.2")])
  func `magnitudes have one decimal`(magnitude: Double, text: String) {
    #expect(Quake.make("a", magnitude: magnitude).magnitudeString == text)
  }

  @Test(arguments: [(0.5, 21.0), (4.5, 45), (7.5, 63)])
  func `markers have the guide's sizes`(magnitude: Double, pixels: Double) {
    #expect(Quake.make("a", magnitude: magnitude).markerSize == pixels)
  }
}
