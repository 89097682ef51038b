import Foundation
import Testing

@testable import QuakesData

struct QuakesOverviewTests {
  private static func state(_ quakes: [Quake]) -> QuakesState {
    var state = QuakesState()
    state.quakes.data.insert(quakes)
    return state
  }

  private static func quake(
    _ id: String,
    _ seconds: Double,
    magnitude: Double = 1,
    name: String = "Alaska"
  ) -> Quake {
    Quake(
      quakeId: id,
      magnitude: magnitude,
      time: Date(timeIntervalSince1970: seconds),
      updated: Date(timeIntervalSince1970: seconds),
      name: name,
      longitude: 0,
      latitude: 0
    )
  }

  private static func dates(_ seconds: Double...) -> [Date] {
    seconds.map { Date(timeIntervalSince1970: $0) }
  }

  @Test func `quakes are tallied by interval and class`() {
    let state = Self.state([
      Self.quake("a", -1), Self.quake("b", 0, magnitude: 2.44), Self.quake("c", 9, magnitude: 2.46),
      Self.quake("d", 10, magnitude: 5), Self.quake("e", 29), Self.quake("f", 30),
    ])

    // The second is the shortest by far.
    let tallies = QuakesTallies(bounds: Self.dates(0, 10, 11, 30), magnitudes: [2.5, 4.5])
      .with(state.quakes.table).output

    #expect(tallies.map(\.counts) == [[1, 1, 0], [0, 0, 1], [1, 0, 0]])
    #expect(tallies.map(\.largest) == [2.5, 5, 1])
    #expect(tallies.map(\.count) == [2, 1, 1])
  }

  @Test func `without bounds there are no tallies`() {
    let tallies = QuakesTallies(bounds: [], magnitudes: [])

    #expect(tallies.with(Self.state([Self.quake("a", 0)]).quakes.table).output == [])
  }

  @Test(
    arguments: [
      ("", -Double.infinity, 9.0, 20.0), ("tonga", -.infinity, 5, nil), ("", 4.5, nil, 30),
      ("nowhere", -.infinity, nil, nil),
    ] as [(String, Double, Double?, Double?)])
  func `the nearest quakes before and after are found`(
    text: String,
    minimum: Double,
    before: Double?,
    after: Double?
  ) {
    let state = Self.state([
      Self.quake("a", 5, name: "Tonga"), Self.quake("b", 9), Self.quake("c", 10),
      Self.quake("d", 20),
      Self.quake("e", 30, magnitude: 5),
    ])
    let interval = Self.dates(10, 20)

    let search = QuakeSearch(text, in: interval[0]..<interval[1], from: minimum)
    let nearest = QuakesState.selectNearestQuakes(to: search)(state)

    #expect(nearest.before?.timeIntervalSince1970 == before)
    #expect(nearest.after?.timeIntervalSince1970 == after)
  }

  @Test func `regions come from the ends of names, most common first`() {
    let names = [
      "1km E of Anza, CA", "Fiji", "2km E of Anza, CA", "Ends with a comma,", "a, b, Chile",
    ]
    let state = Self.state(names.enumerated().map { Self.quake("\($0)", 1, name: $1) })
    let interval = Self.dates(0, 10)
    let select = { (limit: Int) in
      QuakesRegions(QuakeSearch(in: interval[0]..<interval[1]), limit: limit)
        .with(state.quakes.table).output
    }

    #expect(select(9) == ["CA", "Chile", "Ends with a comma,", "Fiji"])
    #expect(select(2) == ["CA", "Chile"])
  }
}
