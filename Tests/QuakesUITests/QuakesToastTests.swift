import QuakesData
import Testing
import WindowTesting

@testable import QuakesUI

@Suite(.serialized) struct QuakesToastTests {
  @Test func `an earthquake that was deleted comes back in every window and in the store`()
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
}
