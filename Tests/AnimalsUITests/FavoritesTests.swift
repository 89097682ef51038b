import AnimalsData
import ImmutableRuntime
import ImmutableUI
import Testing
import WindowTesting

@testable import AnimalsUI

struct FavoritesTests {
  @Test func `a star shows in every window, and in the list of favorites`() async throws {
    let fixture = try await AnimalsFixture()
    let window = try await fixture.open("/Dog?category=Mammal")
    let favorites = try await fixture.open("?favorites=true")
    #expect(favorites.text.contains("No favorites yet."))
    #expect(favorites.text.contains("Favorites 0 in Favorites"))

    try await window.submit("rows", ["row": "star~Dog"])
    try await fixture.app.settle()

    _ = try window.receive()
    // In its row and in the detail.
    #expect(window.html.matches(of: /aria-pressed="true" aria-label="Favorite Dog"/).count == 2)
    #expect(window.html.matches(of: /aria-pressed="true"/).count == 2)
    #expect(window.text.contains("Favorites 1 in Favorites"))
    try await favorites.expect("Dog Mammal ×")
    #expect(favorites.text.contains("1 animal"))
    #expect(window.toast == "Dog is a favorite.")
    try await fixture.app.finish()
  }

  @Test func `undo restores a star that was removed in the detail`() async throws {
    let fixture = try await AnimalsFixture(
      MemoryStore([.dog.with(.favorite(true)), .cat, .newt]))
    let window = try await fixture.open("/Dog?favorites=true")
    #expect(window.text.contains("Dog Mammal ×"))

    try await window.submit("markInDetail", ["row": "unstar~Dog"])
    try await fixture.app.settle()
    try await window.expect("No favorites yet.")
    #expect(window.toast == "Dog is no longer a favorite.")

    try await window.undo()
    try await fixture.app.settle()
    try await window.expect("Dog Mammal ×")
    #expect(window.toast == "Dog is a favorite.")
    try await fixture.app.finish()
  }

  @Test func `a restored animal keeps its star`() async throws {
    let fixture = try await AnimalsFixture(MemoryStore([.dog.with(.favorite(true)), .cat]))
    let window = try await fixture.open("?favorites=true")

    try await window.submit("rows", ["row": "delete~Dog"])
    try await fixture.app.settle()
    try await window.expect("No favorites yet.")
    try await window.undo()
    try await fixture.app.settle()

    try await window.expect("Dog Mammal ×")
    try await fixture.app.finish()
  }

  @Test func `a star that could not be saved says why and is not shown`() async throws {
    let fixture = try await AnimalsFixture()
    let window = try await fixture.open("?category=Mammal")
    await fixture.memory.fail()

    try await window.submit("rows", ["row": "star~Dog"])
    try await fixture.app.settle()

    try await window.expect("Dog could not be saved: the disk is full")
    #expect(window.html.contains(/aria-pressed="true"/) == false)
    #expect(window.toast == nil)
    try await fixture.app.finish()
  }

  @Test(arguments: [
    ("star~Unicorn", "This animal has been deleted in the meantime."),
    ("star", "Press a button."), ("star~", "Press a button."), ("star~Dog~Cat", "Press a button."),
    ("steal~Dog", "Press a button."), ("move~Dog", "Press a button."), ("", "Press a button."),
    ("put~Dog", "Press a button."), ("put~Dog~", "Press a button."),
    ("put~Dog~Nowhere", "This category no longer exists. Select another."),
  ])
  func `an action that no button has is refused`(action: String, message: String) async throws {
    let fixture = try await AnimalsFixture()
    let window = try await fixture.open("?category=Mammal")

    let answer = try await window.submit("rows", ["row": action])

    guard case .refused(let refusal, version: _) = answer else {
      Issue.record("\(answer)")
      return
    }
    #expect(refusal.message == message)
    try await fixture.app.finish()
  }

  @Test func `a search from the favorites covers all animals`() async throws {
    let fixture = try await AnimalsFixture(MemoryStore([.dog.with(.favorite(true)), .cat]))

    let window = try await fixture.open("?all=true&search=dog&favorites=true")

    #expect(window.url == "/animals?all=true&search=dog")
    #expect(window.text.contains("Dog Mammal × 1 of 2"))
    #expect(window.html.contains(/aria-pressed="true" aria-label="Favorite Dog"/))
    try await fixture.app.finish()
  }
}
