import Foundation
import HashTreeCollections
import TestSupport
import Testing

@testable import QuakesData

private typealias Changes = QuakesState.Quakes.Changes

struct QuakesChangesTests {
  @Test func `inserted, updated and deleted quakes are told apart`() {
    let news = Quake.make("b", magnitude: 5)
    let gone = Quake.make("c", magnitude: 0)

    let changes = QuakesState.fetched.quakes.changes(by: [
      .a, news, gone, .d, .make("e", magnitude: -1),
    ])

    #expect(changes == Changes(inserted: [.d], updated: [news], deleted: [gone]))
  }

  @Test func `the changes match what the reducer does`() throws {
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

  private static func hour(_ hour: Int, _ updated: Date = .day) -> Quake {
    .make("\(hour)", time: .day + hour, updated: updated)
  }

  private static func state(_ hours: some Sequence<Int>, limit: Int) throws -> QuakesState {
    try QuakesReducer.reduce(
      state: QuakesState(limit: limit), action: .didFetchRemote(hours.map { Self.hour($0) }))
  }

  @Test func `the oldest quakes above the limit are removed, even new ones`() throws {
    let state = try Self.state(2...4, limit: 3)

    let changes = state.quakes.changes(by: [Self.hour(1), Self.hour(2, .day + 9), Self.hour(5)])
    let newState = try QuakesReducer.reduce(
      state: state, action: .didFetchRemote([Self.hour(1), Self.hour(2, .day + 9), Self.hour(5)]))

    #expect(
      changes == Changes(inserted: [Self.hour(5)], updated: [], deleted: [Self.hour(2, .day + 9)]))
    #expect(Set(newState.quakes.data.keys) == ["3", "4", "5"])
  }

  @Test func `as many quakes as the limit stay`() throws {
    #expect(try Self.state(1...3, limit: 3).quakes.data.count == 3)
  }

  @Test func `a hundredth of the quakes is removed at once`() throws {
    let state = try Self.state(0...1_000, limit: 1_000)

    #expect(Set(state.quakes.data.keys) == Set((11...1_000).map { "\($0)" }))
  }

  @Test func `restored quakes stay within the limit, and the newest stay`() throws {
    let newer = Self.hour(2, .day + 9)
    let deletion: [QuakesAction] = [.onTapDeleteAll, .didFetchRemote([newer, Self.hour(4)])]
    let deleted = try deletion.reduce(Self.state(1...3, limit: 3), QuakesReducer.reduce)

    let state = try QuakesReducer.reduce(state: deleted, action: .onTapRestoreAll(1))

    #expect(Set(state.quakes.data.values) == [newer, Self.hour(3), Self.hour(4)])
    #expect(QuakesState.selectDeletedCount(deletion: 1)(deleted) == 1)
    #expect(deleted.quakes.restoration(of: 1) == Changes(inserted: [Self.hour(3)]))
  }

  @Test func `deleted quakes make room`() throws {
    let state = try Self.state(1...3, limit: 3)
    let gone = Quake.make("3", magnitude: 0, time: .day + 3)

    let changes = state.quakes.changes(by: [gone, Self.hour(4)])

    #expect(changes == Changes(inserted: [Self.hour(4)], updated: [], deleted: [gone]))
  }
}
