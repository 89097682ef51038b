import CounterData
import ImmutableData
import ImmutableRuntime
import ImmutableUI
import Testing
import WindowTesting

@testable import DeveloperTools

/// Everything is put back to what it was.
@MainActor struct PastTests {
  /// A counter that shows 2, put back to when it showed 1.
  private func makePast() async throws -> (DeveloperFixture, TestWindow, developer: TestWindow) {
    let fixture = try await DeveloperFixture()
    let window = try await fixture.app.open("/counter")
    let entries = try await fixture.submit("increment", "increment", to: window)
    try await window.expect("Value: 2")
    let developer = try await fixture.app.open("/developer?entry=\(entries[0].id)")
    try await developer.submit("goBack", ["entry": "\(entries[0].id)"])
    try await fixture.app.settle()
    return (fixture, window, developer)
  }

  @Test func `all windows show the past state, then the present one`() async throws {
    let (fixture, window, developer) = try await self.makePast()
    let other = try await fixture.app.open("/counter")

    try await window.expect("Value: 1")
    #expect(other.text.contains("Value: 1"))
    try await developer.expect("Everything is shown as it was after didTapIncrementButton")
    try await developer.submit("backToNow")
    try await fixture.app.settle()

    try await window.expect("Value: 2")
    try await other.expect("Value: 2")
    #expect(fixture.state.past == nil)
  }

  @Test func `visitors' actions are refused while the past is shown, and work afterwards`()
    async throws
  {
    let (fixture, window, developer) = try await self.makePast()
    try await window.expect("Value: 1")

    let refused = try await window.submit("increment")

    guard case .refused(let refusal, _) = refused else {
      Issue.record("\(refused)")
      return
    }
    #expect(refusal.kind == .conflict)
    #expect(refusal.message.contains("A developer is showing an earlier state"))
    try await developer.submit("backToNow")
    try await fixture.app.settle()
    try await window.submit("increment")
    try await window.expect("Value: 3")
  }

  @Test func `results of effects are listed and show after going back to now`() async throws {
    let (fixture, window, developer) = try await self.makePast()
    try await window.expect("Value: 1")
    try await developer.expect("No effect has run since then.")

    try ActionOrigin.$current.withValue(.effect(name: "save", version: 2)) {
      try fixture.store.dispatch(action: .counter(.didTapIncrementButton))
    }
    await fixture.wait { $0.newest == 3 }

    try await window.expectNothing()
    try await developer.expect("Effects that have run since then: 1 effect save of 2")
    try await developer.submit("backToNow")
    try await fixture.app.settle()
    try await window.expect("Value: 3")
  }

  @Test func `dispatching by hand is refused while the past is shown`() async throws {
    let (_, _, developer) = try await self.makePast()

    let answer = try await developer.submit(
      "dispatch", ["product": "Counter", "json": "{\"didTapIncrementButton\":{}}"])

    #expect(answer.refusal?.message == "Everything is shown as it was. Go back to now first.")
  }

  @Test func `the past cannot be shown without --developer-dispatch`() async throws {
    let fixture = try await DeveloperFixture(dispatches: false)
    let window = try await fixture.app.open("/counter")
    let entries = try await fixture.submit("increment", to: window)
    let developer = try await fixture.app.open("/developer?entry=\(entries[0].id)")

    let answer = try await developer.submit("goBack", ["entry": "\(entries[0].id)"])

    #expect(answer.refusal?.message.contains("--developer-dispatch") == true)
    #expect(developer.text.contains("Put everything back") == false)
    #expect(fixture.state.past == nil)
  }

  @Test func `the past cannot be shown during a recording, or for an unrecorded action`()
    async throws
  {
    let fixture = try await DeveloperFixture()
    let window = try await fixture.app.open("/counter")
    let entries = try await fixture.submit("increment", to: window)
    let developer = try await fixture.app.open("/developer")

    let unknown = try await developer.submit("goBack", ["entry": "99"])
    fixture.app.windows.recordVisits(except: "DeveloperState") { _ in }
    let recorded = try await developer.submit("goBack", ["entry": "\(entries[0].id)"])

    #expect(unknown.refusal?.message.contains("no longer recorded") == true)
    #expect(recorded.refusal?.message.contains("--record") == true)
    #expect(fixture.state.past == nil)
  }
}

extension SubmissionAnswer {
  /// `nil` if it was accepted.
  fileprivate var refusal: Refusal? {
    if case .refused(let refusal, _) = self { refusal } else { nil }
  }
}
