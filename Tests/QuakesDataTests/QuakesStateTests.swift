import Foundation
import HashTreeCollections
import TestSupport
import Testing

@testable import QuakesData

private let day = Date.day..<(Date.day + 24)

struct QuakesStateTests {
  @Test func `a new state has nothing and has fetched nothing`() {
    #expect(QuakesState() == .make())
  }

  @Test func `all quakes are counted`() {
    #expect(QuakesState.selectQuakesCount()(.fetched) == 3)
  }

  @Test(arguments: [nil, Status.empty, .waiting, .success, .failure(error: "Disk")])
  func `the status is that of the newest fetch`(status: Status?) {
    #expect(QuakesState.selectQuakesStatus()(.make(status: status)) == status)
  }

  @Test func `features skipped by a refresh are counted`() {
    #expect(QuakesState.selectQuakesSkippedCount()(.make(skipped: 3)) == 3)
  }

  @Test(arguments: [("b", .b), ("z", nil), (nil, nil)] as [(String?, Quake?)])
  func `a quake is found by its id`(quakeId: String?, quake: Quake?) {
    #expect(QuakesState.selectQuake(quakeId: quakeId)(.fetched) == quake)
  }
}

// When.
extension QuakesStateTests {
  private static let state = QuakesState.make([
    .make("before", time: Date.day.addingTimeInterval(-0.001)),
    .make("first", time: .day),
    .make("last", time: (Date.day + 24).addingTimeInterval(-0.001)),
    .make("after", time: Date.day + 24),
  ])

  @Test func `an interval includes its lower bound and not its upper`() {
    #expect(Self.state.quakes(in: day).map(\.id) == ["first", "last"])
  }

  @Test func `an empty interval has nothing`() {
    #expect(Self.state.quakes(in: Date.day..<Date.day).isEmpty)
  }

  @Test(arguments: [0, 1, 12, 23])
  func `a date stands for its day in the calendar of this machine`(hour: Int) throws {
    let calendar = Calendar.autoupdatingCurrent
    let interval = try #require(calendar.dateInterval(of: .day, for: .day))
    let date = try #require(calendar.date(byAdding: .hour, value: hour, to: interval.start))
    let state = QuakesState.make([
      .make("before", time: interval.start.addingTimeInterval(-1)),
      .make("first", time: interval.start),
      .make("last", time: interval.end.addingTimeInterval(-1)),
      .make("next", time: interval.end),
      .make("after", time: interval.end.addingTimeInterval(1)),
    ])

    let quakes = QuakesState.selectQuakes(searchText: "", searchDate: date)(state)
    let values = QuakesState.selectQuakesValues(
      searchText: "",
      searchDate: date,
      sort: \Quake.time,
      order: .reverse
    )(state)

    // As in the guide, with the start of the next day.
    #expect(Set(quakes.keys) == ["first", "last", "next"])
    #expect(values.map(\.id) == ["next", "last", "first"])
  }
}

// Where.
extension QuakesStateTests {
  @Test(
    arguments: [
      ("", "anywhere", true),
      ("", "", true),
      ("x", "", false),
      ("Alaska", "10 km N of Alaska", true),
      ("alaska", "10 km N of ALASKA", true),
      ("ALASKA", "10 km N of alaska", true),
      ("laska", "Alaska", true),
      ("Alaskas", "Alaska", false),
      ("aab", "aaab", true),
      ("san jose", "5 km E of San José, Costa Rica", true),
      ("SAN JOSÉ", "5 km E of San Jose, CA", true),
      ("Jose\u{301}", "San José", true),
      ("José", "San Jose\u{301}", true),
      ("reykjanes", "Reykjanes Ridge", true),
      ("açores", "AÇORES", true),
      ("İzmir", "izmir", true),
      ("東京", "東京都", true),
      ("京都", "東京", false),
      ("\u{d55c}", "\u{1112}\u{1161}\u{11ab}", true),
      ("é", "e", true),
      (" ", "Alaska", false),
      (" of ", "N of Alaska", true),
    ])
  func `a search ignores case and accents`(text: String, name: String, found: Bool) {
    let quake = Quake.make(name: name)

    #expect(QuakesState.make([quake]).quakes(text, in: day) == (found ? [quake] : []))
  }

  @Test(
    arguments: [
      ("", "anywhere", true), ("laska", "Alaska", true), ("alaska", "Alaska", false),
      ("san jose", "5 km E of San José, Costa Rica", false), ("x", "", false),
    ])
  func `a search of the guide does not`(text: String, name: String, found: Bool) {
    let quake = Quake.make(name: name)

    let quakes = QuakesState.selectQuakes(searchText: text, searchDate: .day)(.make([quake]))
    let values = QuakesState.selectQuakesValues(
      searchText: text, searchDate: .day, sort: \Quake.time)(.make([quake]))

    #expect(Array(quakes.values) == (found ? [quake] : []))
    #expect(values == (found ? [quake] : []))
  }
}

// In which order.
extension QuakesStateTests {
  private static let sorted = QuakesState.make([
    .make("a", magnitude: 2, time: Date.day + 3),
    .make("b", magnitude: 3, time: Date.day + 1),
    .make("c", magnitude: 1, time: Date.day + 2),
    .make("elsewhere", magnitude: 1.5, name: "Chile"),
  ])

  @Test(
    arguments: [(.forward, ["c", "a", "b"]), (.reverse, ["b", "a", "c"])]
      as [(SortOrder, [String])])
  func `quakes are sorted by magnitude`(order: SortOrder, ids: [String]) {
    let values = Self.sorted.quakes("alaska", in: day, sort: \.magnitude, order: order)

    #expect(values.map(\.id) == ids)
  }

  @Test(
    arguments: [(.forward, ["b", "c", "a"]), (.reverse, ["a", "c", "b"])]
      as [(SortOrder, [String])])
  func `quakes are sorted by time`(order: SortOrder, ids: [String]) {
    let values = QuakesState.selectQuakesValues(
      searchText: "Alaska",
      searchDate: .day,
      sort: \Quake.time,
      order: order
    )(Self.sorted.inLocalDay)

    #expect(values.map(\.id) == ids)
  }

  @Test(arguments: [SortOrder.forward, .reverse])
  func `equal quakes of a date are sorted by their id`(order: SortOrder) {
    let state = QuakesState.make((1...50).map { .make("\($0)") }).inLocalDay

    let byTime = QuakesState.selectQuakesValues(
      searchText: "", searchDate: .day, sort: \Quake.time, order: order)(state)
    let byMagnitude = QuakesState.selectQuakesValues(
      searchText: "", searchDate: .day, sort: \Quake.magnitude, order: order)(state)

    #expect(byTime.map(\.id) == (1...50).map { "\($0)" }.sorted())
    #expect(byMagnitude == byTime)
  }

  @Test(arguments: [SortOrder.forward, .reverse])
  func `equal quakes of an interval are sorted newest first, then by id`(order: SortOrder) {
    let state = QuakesState.make((0..<50).map { .make("\($0)", time: .day + $0 % 2) })

    let byTime = state.quakes(in: day, order: order)
    let byMagnitude = state.quakes(in: day, sort: \.magnitude, order: order)

    let (even, odd) = (Self.ids { $0 % 2 == 0 }, Self.ids { $0 % 2 == 1 })
    #expect(byTime.map(\.id) == (order == .forward ? even + odd : odd + even))
    #expect(byMagnitude.map(\.id) == odd + even)
  }

  private static func ids(_ isIncluded: (Int) -> Bool) -> [Quake.ID] {
    (0..<50).filter(isIncluded).map(String.init).sorted()
  }

  @Test func `a list has exactly the matches, in a total order`() {
    let seed = UInt64.random(in: .min ... .max)
    print("QuakesStateTests seed: \(seed)")
    var generator = SeededGenerator(seed: seed)
    let state = QuakesState.make(
      (0..<500).map { number in
        .make(
          "\(number)",
          magnitude: Double(Int.random(in: 0...20, using: &generator)) / 4,
          time: Date.day + Int.random(in: -30...30, using: &generator),
          name: ["Alaska", "São Tomé", "Chile"].randomElement(using: &generator)!
        )
      }
    )

    let list = state.quakes("tome", in: day, sort: \.magnitude, order: .reverse)

    let sorted = state.quakes.data.values.filter { $0.name == "São Tomé" && day.contains($0.time) }
      .sorted {
        ($1.magnitude, $1.time, $0.id) < ($0.magnitude, $0.time, $1.id)
      }
    #expect(list.map(\.id) == sorted.map(\.id), "seed \(seed)")
  }
}

extension QuakesState {
  /// The quakes of an interval, sorted.
  fileprivate func quakes(
    _ text: String = "",
    in interval: Range<Date>,
    sort keyPath: any KeyPath<Quake, some Comparable & SendableMetatype> & Sendable = \.time,
    order: SortOrder = .forward
  ) -> [Quake] {
    let empty = SortedRows.quakes(
      QuakeSearch(text, in: interval), sort: keyPath, order: order)
    return Array(empty.with(self.quakes.table))
  }

  /// These quakes, at the same distances from the beginning of the day of this machine.
  fileprivate var inLocalDay: Self {
    let start = Calendar.autoupdatingCurrent.startOfDay(for: .day)
    return .make(
      self.quakes.data.values.map { quake in
        .make(
          quake.id,
          magnitude: quake.magnitude,
          time: start.addingTimeInterval(quake.time.timeIntervalSince(.day)),
          name: quake.name
        )
      }
    )
  }
}
