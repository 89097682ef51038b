import Foundation
import HashTreeCollections
import Testing

@testable import QuakesData

/// What an effect hands to the main actor.
struct NewsTests {
  private static func quakes(_ range: Range<Int>, magnitude: Double = 1) -> [Quake] {
    range.map { Quake.make("\($0)", magnitude: magnitude) }
  }

  private static func state(_ quakes: [Quake]) -> QuakesState {
    var state = QuakesState()
    for quake in quakes { state.quakes.table[quake.id] = quake }
    return state
  }

  @Test func `only news from a large feed is passed on`() {
    let known = Self.quakes(0..<5_000)
    let state = Self.state(known)
    let updated = Self.quakes(7..<8, magnitude: 2)
    let deleted = Self.quakes(9..<10, magnitude: 0)
    let inserted = Self.quakes(5_000..<5_003)
    let ignored = Self.quakes(6_000..<6_010, magnitude: 0)
    let feed =
      known.filter { ["7", "9"].contains($0.id) == false } + ignored + updated + deleted + inserted

    let news = state.quakes.news(in: feed)

    #expect(news == updated + deleted + inserted)
    #expect(state.quakes.changes(by: news) == state.quakes.changes(by: feed))
    #expect(state.quakes.missing(in: known + inserted) == inserted)
  }

  @Test func `a small feed is passed on unchanged`() {
    let known = Self.quakes(0..<10)

    #expect(Self.state(known).quakes.news(in: known) == known)
  }
}
