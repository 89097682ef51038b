import ImmutableRuntime
import ImmutableUI
import QuakesData
import Testing
import WindowTesting

@testable import QuakesUI

@Suite(.serialized) struct QuakesToastTests {
  @Test func `undo restores a deleted earthquake in every window and in the store`()
    async throws
  {
    let fixture = try await QuakesFixture()
    let window = try await fixture.open("?list=jose")
    let other = try await fixture.open()

    try await window.submit("deleteSelected", ["quakeId": "jose"])
    try await fixture.app.settle()
    try await other.expect("2 earthquakes")
    _ = try window.receive()
    #expect(window.toast == "San José, Costa Rica deleted.")
    #expect(await fixture.local.quakes["jose"] == nil)

    try await window.undo()
    try await fixture.app.settle()

    try await other.expect("3 earthquakes")
    try await window.expect("3 earthquakes")
    #expect(window.toast == "San José, Costa Rica is back.")
    #expect(await fixture.local.quakes["jose"] != nil)
    try await fixture.app.finish()
  }

  @Test func `a refresh shows the number of new earthquakes only in its own window`() async throws {
    let fixture = try await QuakesFixture([], feed: .somewhere)
    let window = try await fixture.open()
    let other = try await fixture.open()

    try await window.submit("refresh", ["range": "allDay"])
    try await fixture.app.settle()
    try await other.expect("3 earthquakes")
    _ = try window.receive()
    #expect(window.toast == "4 new earthquakes.")
    #expect(other.toast == nil)
    try await window.submit("refresh", ["range": "allDay"])
    try await fixture.app.settle()

    _ = try window.receive()
    #expect(window.toast == "Nothing new.")
    _ = try other.receive()
    try await fixture.app.finish()
  }

  @Test func `a cancelled refresh shows no number of new earthquakes`() async throws {
    let fixture = try await QuakesFixture([], feed: .somewhere)
    let window = try await fixture.open()
    try await window.submit("refresh", ["range": "allDay"])
    try await fixture.app.settle()
    try await window.expect("3 earthquakes")
    #expect(window.toast == "4 new earthquakes.")
    try await window.submit("deleteAll")
    try await fixture.app.settle()
    try await window.expect("4 earthquakes were deleted")
    await fixture.remote.hold()
    try await window.submit("refresh", ["range": "allDay"])
    try await window.expect("Loading earthquakes…")

    try await window.submit("cancelRefresh")
    await fixture.remote.release()
    try await fixture.app.settle()

    _ = try window.receive()
    #expect(window.toast == "All 4 earthquakes deleted.")
    try await fixture.app.finish()
  }

  @Test func `deleting all of no earthquakes shows no toast`() async throws {
    let fixture = try await QuakesFixture()
    let window = try await fixture.open()
    let other = try await fixture.open()
    try await window.submit("deleteAll")
    try await fixture.app.settle()
    try await other.expect("4 earthquakes were deleted")

    try await other.submit("deleteAll")
    try await fixture.app.settle()

    _ = try window.receive()
    _ = try other.receive()
    #expect(window.toast == "All 4 earthquakes deleted.")
    #expect(other.toast == nil)
    try await fixture.app.finish()
  }

  @Test func `any window that shows the deletion of all can undo it once`() async throws {
    let fixture = try await QuakesFixture()
    let window = try await fixture.open()
    try await window.submit("deleteAll")
    try await fixture.app.settle()
    try await window.expect("4 earthquakes were deleted")

    try await window.submit("restore", ["deletion": "1"])
    try await fixture.app.settle()
    try await window.expect("3 earthquakes")
    #expect(window.toast == "4 earthquakes are back.")
    try await window.submit("restore", ["deletion": "1"])
    try await fixture.app.settle()

    _ = try window.receive()
    #expect(window.toast == "This can no longer be undone.")
    try await fixture.app.finish()
  }

  @Test func `undo restores all deleted earthquakes`() async throws {
    let fixture = try await QuakesFixture()
    let window = try await fixture.open()
    let other = try await fixture.open()
    let before = await fixture.local.quakes

    try await window.submit("deleteAll")
    try await fixture.app.settle()
    try await other.expect("4 earthquakes were deleted")
    _ = try window.receive()
    #expect(window.toast == "All 4 earthquakes deleted.")
    try await window.undo()
    try await fixture.app.settle()

    try await other.expect("3 earthquakes")
    try await window.expect("3 earthquakes")
    #expect(window.toast == "4 earthquakes are back.")
    #expect(await fixture.local.quakes == before)
    try await fixture.app.finish()
  }

  @Test func `a deletion of all cannot be undone after a newer one`() async throws {
    let fixture = try await QuakesFixture()
    let window = try await fixture.open()
    let other = try await fixture.open()
    try await window.submit("deleteAll")
    try await fixture.app.settle()
    try await other.expect("4 earthquakes were deleted")
    _ = try window.receive()
    try await window.undo()
    try await fixture.app.settle()
    try await other.expect("3 earthquakes")
    _ = try window.receive()

    try await window.submit("deleteAll")
    try await fixture.app.settle()
    try await other.expect("4 earthquakes were deleted")
    _ = try window.receive()
    try await other.submit("sample")
    try await fixture.app.settle()
    _ = try window.receive()
    _ = try other.receive()
    try await other.submit("deleteAll")
    try await fixture.app.settle()
    _ = try other.receive()
    _ = try window.receive()

    let answer = try await window.undo()

    guard case .refused(let refusal, _) = answer else {
      Issue.record("it was accepted")
      return
    }
    #expect(refusal.message == "This can no longer be undone.")
    try await fixture.app.finish()
  }
}
