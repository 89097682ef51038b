import CounterData
import Foundation
import ImmutableData
import ImmutableRuntime
import ImmutableUI
import Testing
import WindowTesting

@testable import DeveloperTools

/// Forks of what a counter has done.
@MainActor struct ForkTests {
  /// A counter at its highest that was asked to go on, went back, and went on.
  private func makeFixture() async throws -> DeveloperFixture {
    let fixture = try await DeveloperFixture(.max - 1)
    let window = try await fixture.app.open("/counter")
    try await fixture.submit(
      "increment", "increment", "decrement", "decrement", "increment", to: window)
    try await window.expect("Value: \(Int.max - 1)")
    return fixture
  }

  private func value(_ fork: Fork) -> Int? {
    (fork.state as? DeveloperFixture.Whole)?.counter.value
  }

  @Test func `an unchanged fork reproduces the recorded state`() async throws {
    let fixture = try await self.makeFixture()

    let fork = try #require(fixture.state.fork(ForkPlan(from: 1)))

    #expect(self.value(fork) == .max - 1)
    #expect(StateDifference(from: fork.recordedState, to: fork.state).changes.isEmpty)
    #expect(fork.steps.map(\.isRefused) == [false, true, false, false, false])
    #expect(fork.steps.contains { $0.isMoved } == false)
  }

  @Test func `skipping an action lets a refused one succeed`() async throws {
    let fixture = try await self.makeFixture()

    let fork = try #require(fixture.state.fork(ForkPlan(from: 1, skipped: [1])))

    #expect(fork.steps.map(\.outcome) == [.skipped, .reduced, .reduced, .reduced, .reduced])
    #expect(self.value(fork) == .max - 1)
  }

  @Test func `reordering changes which actions are refused`() async throws {
    let fixture = try await self.makeFixture()

    // The last comes before the first two that go back.
    let fork = try #require(fixture.state.fork(ForkPlan(from: 1, order: [5, 3, 4])))

    #expect(fork.steps.map(\.id) == [1, 2, 5, 3, 4])
    #expect(fork.steps.map(\.isRefused) == [false, true, true, false, false])
    #expect(fork.steps.map(\.isMoved) == [false, false, true, true, true])
    #expect(self.value(fork) == .max - 2)
    let changes = StateDifference(from: fork.recordedState, to: fork.state).changes
    #expect(changes.map(\.path) == ["/counter/value"])
  }

  @Test func `a fork ends where recording was paused`() async throws {
    let fixture = try await DeveloperFixture()
    let window = try await fixture.app.open("/counter")
    let developer = try await fixture.app.open("/developer")
    try await fixture.submit("increment", to: window)
    try await developer.submit("pause")
    try await window.submit("increment")
    await fixture.wait { $0.newest == 2 }
    try await developer.submit("resume")
    try await fixture.submit("increment", "increment", to: window)

    let before = try #require(fixture.state.fork(ForkPlan(from: 1)))
    let after = try #require(fixture.state.fork(ForkPlan(from: 3)))

    #expect(before.steps.map(\.id) == [1])
    #expect(StateDifference(from: before.recordedState, to: before.state).changes.isEmpty)
    #expect(after.steps.map(\.id) == [3, 4])
    #expect(fixture.state.startOfRun(with: 4) == 3)
  }

  @Test func `a fork begins at a given action with the state before it`() async throws {
    let fixture = try await self.makeFixture()

    let fork = try #require(fixture.state.fork(ForkPlan(from: 4, skipped: [5])))

    #expect(fork.steps.map(\.id) == [4, 5])
    #expect(self.value(fork) == .max - 2)
    #expect(fixture.state.fork(ForkPlan(from: 9)) == nil)
  }

  @Test func `a fork changes only its own pages`() async throws {
    let fixture = try await self.makeFixture()
    let version = fixture.store.snapshot().version

    let page = try #require(await fixture.past(["url": "/counter", "plan": "1-5"]))

    #expect(page.contains("Value: \(Int.max - 2)<"))
    #expect(fixture.store.snapshot().version == version)
    #expect(fixture.store.state.counter.value == .max - 1)
    #expect(await fixture.past(["url": "/counter", "plan": "9"]) == nil)
    #expect(await fixture.past(["url": "/nowhere", "plan": "1"]) == nil)
  }

  @Test func `the fork page shows skipped, moved and refused actions, with links to edit`()
    async throws
  {
    let fixture = try await self.makeFixture()

    let fork = try await fixture.app.open("/developer/fork?plan=1-1~5.3.4&url=/counter")

    #expect(fork.text.contains("skipped"))
    #expect(fork.text.contains("moved"))
    #expect(fork.text.contains("/counter/value"))
    let lost = try await fixture.app.open("/developer/fork?plan=99")
    #expect(lost.text.contains("no longer recorded"))
    let none = try await fixture.app.open("/developer/fork?plan=nonsense")
    #expect(none.text.contains("choose Fork from here"))
  }

  @Test func `a fork shows its page as the window showed it`() async throws {
    let fixture = try await self.makeFixture()

    let fork = try await fixture.app.open(
      "/developer/fork?plan=1&url=/counter&seen=Asia/Tokyo,,ann")

    #expect(
      fork.html.contains(
        "/developer/past?url=%2Fcounter&amp;plan=1&amp;seen=Asia%2FTokyo%2C%2Cann\""))
  }

  @Test func `a fork leaves out actions of other stores`() throws {
    let dispatch = Dispatch<any Sendable, any Sendable>(
      action: "one", origin: nil, oldState: 0, result: .success(1), version: 1, duration: .zero)
    let state = try DeveloperReducer.reduce(
      state: DeveloperState(),
      action: .recorder(
        .didRecord([
          .action(Recorded(time: .now, dispatch: .init(product: "TestState", dispatch: dispatch)))
        ]))
    )

    #expect(state.fork(ForkPlan(from: 1)) == nil)
  }
}

extension Fork.Step {
  fileprivate var isRefused: Bool {
    if case .refused = self.outcome { true } else { false }
  }
}
