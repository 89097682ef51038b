import Foundation
import SampleFeeds
import Testing

@testable import QuakesData

struct SampleFeedTests {
  private static let anchor = Date(timeIntervalSince1970: 1_517_968_154.5)
  private static let sample = SampleFeed(anchor: Self.anchor)
  private static let month = Self.sample.data(range: .allMonth)
  private static let feed = Result { try Self.sample.feed(range: .allMonth) }

  /// That of the USGS in Tests/QuakesDataTests/Resources.
  private static let real: Data = {
    let url = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "QuakesDataTests/Resources/usgs-all-week-2018-02-07.geojson")
    return FileManager.default.contents(atPath: url.path) ?? Data()
  }()

  @Test func `an anchor and a seed always make the same bytes`() {
    #expect(SampleFeed(anchor: Self.anchor).data(range: .allMonth) == Self.month)
    #expect(SampleFeed(anchor: Self.anchor, seed: 1).data(range: .allMonth) != Self.month)
  }

  @Test func `every feature can be read`() throws {
    let feed = try Self.feed.get()

    #expect(feed.skipped == 0)
    #expect((9_500...10_500).contains(feed.quakes.count))
    #expect(feed.quakes == feed.quakes.sorted { $0.time > $1.time })
  }

  @Test func `the format matches that of the USGS`() throws {
    let real = try Self.shape(of: Self.real)
    let sample = try Self.shape(of: Self.month)

    #expect(sample == real)
  }

  @Test func `fields have the same order as in USGS feeds`() throws {
    let field = /"([a-zA-Z]+)":/
    func fields(_ data: Data) -> [Substring] {
      let text = String(decoding: data.prefix(1_500), as: UTF8.self)
      return text.matches(of: field).prefix(40).map(\.output.1)
    }

    #expect(fields(Self.month) == fields(Self.real))
  }

  @Test func `every day of the month has earthquakes`() throws {
    let days = Dictionary(grouping: try Self.feed.get().quakes) { quake in
      Int((Self.anchor.timeIntervalSince(quake.time) / 86_400).rounded(.down))
    }

    #expect(Set(days.keys) == Set(0..<30))
    #expect(days.values.allSatisfy { $0.count > 200 })
  }

  @Test func `each magnitude is ten times as frequent as the next stronger one`() throws {
    // Where all of them are noticed.
    let magnitudes = try Self.feed.get().quakes.map(\.magnitude).filter { $0 >= 4 }
    let strong = magnitudes.filter { $0 >= 5 }.count

    #expect(magnitudes.allSatisfy { $0 <= 8.6 })
    #expect((0.05...0.2).contains(Double(strong) / Double(magnitudes.count)))
  }

  @Test func `ids are unique`() throws {
    let ids = try Self.feed.get().quakes.map(\.id)

    #expect(Set(ids).count == ids.count)
  }

  @Test func `places are named as the USGS names them`() throws {
    let format = /\d+km [NESW]{1,3} of \S.*/

    let names = try Self.feed.get().quakes.map(\.name)

    #expect(names.filter { $0.wholeMatch(of: format) == nil } == [])
    #expect(names.contains { $0.hasSuffix(" of San José, Costa Rica") })
  }

  @Test func `earthquakes are at the distance that their place names say`() throws {
    let quakes = try Self.feed.get().quakes.filter { $0.name.hasSuffix("Anza, CA") }

    #expect(quakes.isEmpty == false)
    for quake in quakes {
      let kilometers = try #require(Double(quake.name.prefix { $0.isNumber }))
      let north = (quake.latitude - 33.556) * 111.2
      let east = (quake.longitude + 116.674) * 111.2 * cos(33.556 * .pi / 180)
      #expect(abs((north * north + east * east).squareRoot() - kilometers) < 1)
    }
  }

  @Test(arguments: [
    (QuakesAction.UI.QuakeList.RefreshQuakesRange.allHour, 3_600.0), (.allDay, 86_400),
    (.allWeek, 604_800),
  ])
  func `a shorter feed has the newest earthquakes of the month`(
    range: QuakesAction.UI.QuakeList.RefreshQuakesRange,
    seconds: TimeInterval
  ) throws {
    let expected = try Self.feed.get().quakes.filter {
      Self.anchor.timeIntervalSince($0.time) <= seconds
    }

    #expect(try Self.sample.feed(range: range).quakes == expected)
    #expect(expected.isEmpty == false)
  }

  @Test func `earthquakes stay the same in a later feed`() throws {
    let later = SampleFeed(anchor: Self.anchor.addingTimeInterval(86_400))

    let before = try Self.sample.feed(range: .allDay).quakes
    let after = try later.feed(range: .allWeek).quakes

    #expect(Set(before).subtracting(after) == [])
    #expect(after.count > before.count)
    #expect(before.allSatisfy { $0.updated <= Self.anchor })
  }

  @Test(arguments: [
    Date.distantPast, .distantFuture, Date(timeIntervalSince1970: .infinity),
    Date(timeIntervalSince1970: -.infinity), Date(timeIntervalSince1970: 0),
  ])
  func `every anchor has a feed`(anchor: Date) throws {
    #expect(try SampleFeed(anchor: anchor, seed: .max).feed(range: .allDay).skipped == 0)
  }

  /// The names of all fields, by where they are.
  private static func shape(of data: Data) throws -> Set<String> {
    var names: Set<String> = []
    func visit(_ value: Any, _ path: String) {
      if let object = value as? [String: Any] {
        for (key, value) in object { visit(value, "\(path).\(key)") }
      } else if let array = value as? [Any], let first = array.first {
        visit(first, "\(path)[]")
      } else {
        names.insert(path)
      }
    }
    visit(try JSONSerialization.jsonObject(with: data), "")
    return names
  }
}
