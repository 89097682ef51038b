import Foundation
import ImmutableData
import ImmutableRuntime
import ImmutableUI
import Testing
import WindowTesting

@testable import DeveloperTools

@MainActor struct HappeningsTests {
  private static var visit: Happening {
    let visit = Visit(
      product: "TestState", session: Identifier(), window: nil, url: "/",
      environment: WindowEnvironment(), version: 1, event: .opens)
    return .visit(LoggedVisit(visit, at: .now, product: "Test", browser: "browser"))
  }

  @Test func `while no developer page is open, the store is updated in batches`() {
    let happenings = Happenings()
    let pauses = (0..<(Happenings.limit + 5)).map { _ in happenings.add(Self.visit)?.pause }

    #expect(pauses.indices.filter { pauses[$0] != nil } == [Happenings.limit - 1])
    #expect(pauses[Happenings.limit - 1] == .zero)
    #expect(happenings.take().count == Happenings.limit + 5)
    #expect(happenings.take().isEmpty)
    #expect(happenings.add(Self.visit)?.pause == nil)
  }

  @Test func `while a developer page is open, the store is updated four times a second at most`() {
    let (happenings, time) = (Happenings(), ContinuousClock.now)
    happenings.isWatched = true
    _ = happenings.take(at: time)

    #expect(happenings.add(Self.visit, at: time + .milliseconds(30))?.pause == .milliseconds(220))
    #expect(happenings.add(Self.visit, at: time + .milliseconds(400))?.pause == nil)
    #expect(happenings.take(at: time + .milliseconds(400)).count == 2)
    #expect(happenings.add(Self.visit, at: time + .milliseconds(651))?.pause == .zero)
  }

  @Test func `a scheduled update does nothing if the store has been updated since`() throws {
    let happenings = Happenings()
    happenings.isWatched = true
    let first = try #require(happenings.add(Self.visit)).number
    _ = happenings.take()
    let second = try #require(happenings.add(Self.visit)).number

    #expect(happenings.take(first).isEmpty)
    #expect(happenings.isDue)
    #expect(happenings.take(second).count == 1)
  }

  @Test func `while a developer page is open, much that happens at once does not wait`() {
    let happenings = Happenings()
    happenings.isWatched = true
    let pauses = (0..<Happenings.watchedLimit).map { _ in happenings.add(Self.visit)?.pause }

    #expect(pauses.indices.filter { pauses[$0] != nil } == [0, Happenings.watchedLimit - 1])
    #expect(pauses.last == .some(.zero))
  }

  @Test func `actions wait until a developer page is opened`() async throws {
    let fixture = try await DeveloperFixture()
    let window = try await fixture.app.open("/counter")
    let version = fixture.developer.store.snapshot().version
    for _ in 0..<3 { try await window.submit("increment") }

    #expect(fixture.state.entries.isEmpty)
    #expect(fixture.developer.store.snapshot().version == version)
    _ = try await fixture.app.open("/developer")
    #expect(fixture.state.entries.count == 3)
  }

  @Test func `a past page shows everything that has happened`() async throws {
    let fixture = try await DeveloperFixture()
    let window = try await fixture.app.open("/counter")
    try await window.submit("increment")

    let past = try #require(await fixture.past(["url": "/counter"]))

    #expect(past.contains("Value: 1<"))
  }
}
