// As a test that is written against the guide imports: no module of swift-collections, no FoundationNetworking.
import AnimalsData
import Foundation
import ImmutableData
import Testing

/// What tests that are written against the guide rely on.
@MainActor struct GuideCompatibilityTests {
  @Test func `members of modules that a test does not import can be used`() {
    var state = AnimalsState(
      categories: AnimalsState.Categories(data: ["Bird": .bird]),
      animals: AnimalsState.Animals(data: ["Dog": .dog], queue: ["Dog": .waiting]))
    state.animals.data["Cat"] = .cat

    #expect(state.animals.data["Cat"] == .cat)
    #expect(state.animals.queue["Dog"] == .waiting)
    #expect(URLRequest(url: URL(filePath: "/")).httpMethod == "GET")
  }
}
