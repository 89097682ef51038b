import HashTreeCollections
import TestSupport
import Testing

@testable import QuakesData

private typealias Changes = QuakesState.Quakes.Changes

struct QuakesChangesTests {
  @Test func `new quakes, other ones and those that leave are told apart`() {
    let news = Quake.make("b", magnitude: 5)
    let gone = Quake.make("c", magnitude: 0)

    let changes = QuakesState.fetched.quakes.changes(by: [
      .a, news, gone, .d, .make("e", magnitude: -1),
    ])

    #expect(changes == Changes(inserted: [.d], updated: [news], deleted: [gone]))
  }

  @Test func `what changes is what the reducer does`() throws {
    let seed = UInt64.random(in: .min ... .max)
    print("QuakesChangesTests seed: \(seed)")
    var generator = SeededGenerator(seed: seed)

    for _ in 0..<500 {
      let state = QuakesState.make(
        (0..<10).filter { _ in Bool.random(using: &generator) }.map { .make("\($0)") },
        status: .waiting
      )
      let fetched = (0..<15).map { _ in
        Quake.make(
          "\(Int.random(in: 0..<10, using: &generator))",
          magnitude: Double(Int.random(in: -1...2, using: &generator))
        )
      }

      let changes = state.quakes.changes(by: fetched)
      let newState = try QuakesReducer.reduce(state: state, action: .didFetchRemote(fetched))

      // As the guide works it out, one by one.
      let old = state.quakes.data
      let new = newState.quakes.data
      let inserted = new.values.filter { old[$0.id] == nil }
      let updated = new.values.filter { old[$0.id] != nil && old[$0.id] != $0 }
      let deleted = old.keys.filter { new[$0] == nil }
      #expect(Set(changes.inserted) == Set(inserted), "seed \(seed)")
      #expect(Set(changes.updated) == Set(updated), "seed \(seed)")
      #expect(Set(changes.deleted.map(\.id)) == Set(deleted), "seed \(seed)")
      #expect(changes.inserted.count == inserted.count, "seed \(seed)")
      #expect(changes.updated.count == updated.count, "seed \(seed)")
      #expect(changes.deleted.count == deleted.count, "seed \(seed)")
    }
  }
}
