import AnimalsData
import AnimalsUI
import Foundation
import HTMLTemplates
import ImmutableData
import ImmutableRuntime
import ImmutableUI
import QuakesData
import QuakesUI
import TestSupport
import Testing
import WindowTesting

@testable import DeveloperTools

/// Pages in past states continue from one another. The law: they are what a page is that is rendered
/// from scratch in each state, in whatever order somebody looks at them, and so is the search for the
/// action that put a region there.
@MainActor struct OriginTests {
  private static let seen = PageTime(
    timeZone: .gmt, date: .noon, visitor: Visitor(rawValue: "a visitor"))

  @Test(
    arguments: [
      "/animals", "/animals?category=x", "/animals?favorites=true",
      "/animals?all=true&search=one",
    ], 1...2 as ClosedRange<UInt64>)
  func `the past of animals is what a render from scratch shows`(
    url: String, seed: UInt64
  ) async throws {
    var random = RandomActions(generator: SeededGenerator(seed: seed))
    let store = ImmutableData.Store(
      initialState: AnimalsState(), reducer: AnimalsReducer.reduceOrRefuse)
    let (app, developer) = try await Developer.beside(store) { AnimalsUI.Content.page() }
    let actions = random.firstAnimals() + (1...18).map { _ in random.animalsAction() }

    for action in actions { _ = try? store.dispatch(action: action) }
    let state = await developer.wait { $0.newest == actions.count }

    try self.expectPast(of: url, in: state, app, &random.generator)
  }

  @Test(
    arguments: [
      "/quakes", "/quakes?magnitude=2.5", "/quakes?order=forward&sort=magnitude",
      "/quakes?charts=true", "/quakes?search=a",
    ], 1...2 as ClosedRange<UInt64>)
  func `the past of earthquakes is what a render from scratch shows`(
    url: String, seed: UInt64
  ) async throws {
    var random = RandomActions(generator: SeededGenerator(seed: seed))
    let store = ImmutableData.Store(initialState: QuakesState(), reducer: QuakesReducer.reduce)
    let (app, developer) = try await Developer.beside(store) { QuakesUI.Content.page() }
    let actions = [random.firstQuakes()] + (1...19).map { _ in random.quakesAction() }

    for action in actions { _ = try? store.dispatch(action: action) }
    let state = await developer.wait { $0.newest == actions.count }

    try self.expectPast(of: url, in: state, app, &random.generator)
  }

  private func expectPast(
    of url: String,
    in state: DeveloperState,
    _ app: TestApp,
    _ generator: inout SeededGenerator
  ) throws {
    let environment = Self.seen.environment(at: .noon)
    func tags(in state: any Sendable) throws -> [String: ImmutableUI.Tag] {
      let regions = try #require(app.windows.regions(url, in: state, environment: environment))
      return Dictionary(regions.map { ($0.name, $0.tag) }) { first, _ in first }
    }
    // The newest first.
    let entries = Array(state.entries(of: nil))
    let before = try entries.map { try tags(in: $0.oldState) }
    let after = try entries.map { try tags(in: $0.state) }

    let pages = app.windows.past(in: entries[0].state)
    for index in entries.indices.shuffled(using: &generator) {
      pages.move(to: entries[index].state)
      let moved = try #require(pages.regions(url, environment: environment))
      #expect(
        Dictionary(moved.map { ($0.name, $0.tag) }) { first, _ in first } == after[index],
        "after action \(entries[index].id)")
      for (region, tag) in after[index] {
        let past = app.windows.tag(
          of: region, at: url, in: entries[index].state, environment: environment)
        #expect(past == tag, "\(region) after action \(entries[index].id)")
      }
    }

    var origins: Set<Int> = []
    for index in stride(from: 0, to: entries.count, by: 3) {
      for (region, tag) in after[index] {
        let expected = (index..<entries.count).first { before[$0][region] != tag }
        let origin = state.origin(of: region, at: url, upTo: entries[index].id, in: Self.seen)
        #expect(origin?.isThere == true)
        #expect(
          origin?.entry?.id == expected.map { entries[$0].id },
          "\(region) after action \(entries[index].id)")
        if let entry = origin?.entry { origins.insert(entry.id) }
      }
    }
    #expect(origins.count > 1)
  }
}
