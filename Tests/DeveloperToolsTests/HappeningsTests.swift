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
    let isDue = (0..<(Happenings.limit + 5)).map { _ in happenings.add(Self.visit) }

    #expect(isDue.indices.filter { isDue[$0] } == [Happenings.limit - 1])
    #expect(happenings.take().count == Happenings.limit + 5)
    #expect(happenings.take().isEmpty)
    #expect(happenings.add(Self.visit) == false)
  }

  @Test func `while a developer page is open, the store is updated at once`() {
    let happenings = Happenings()
    happenings.isWatched = true

    #expect(happenings.add(Self.visit))
    #expect(happenings.add(Self.visit) == false)
    #expect(happenings.take().count == 2)
    #expect(happenings.add(Self.visit))
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
