import AnimalsData
import ImmutableRuntime
import ImmutableUI
import Testing
import WindowTesting

@testable import AnimalsUI

/// What an editor does about changes of others, and about names that are taken.
struct AnimalEditorTests {
  /// What a page of Dog posts that was opened when Dog was as in the sample data.
  private static func post(
    _ fields: [String: String] = [:],
    seen: Animal = .dog
  ) -> [String: String] {
    let page = [
      "animalId": "Dog", "was": "Carnivore~Mammal~Dog",
      "seen": "\(seen.diet.rawValue)~\(seen.categoryId)~\(seen.name)",
      "name": "Dog", "category": "Mammal", "diet": "Carnivore",
    ]
    return page.merging(fields) { $1 }
  }

  private static let editing = "/Dog?category=Mammal&sheet=edit"

  /// A window with an editor of Dog, which another has changed since.
  private func editor(
    _ fixture: AnimalsFixture,
    after change: Animal
  ) async throws -> TestWindow {
    let window = try await fixture.open(Self.editing)
    let other = try await fixture.open(Self.editing)
    try await other.submit(
      "save",
      Self.post([
        "name": change.name, "category": change.categoryId, "diet": change.diet.rawValue,
      ])
    )
    try await fixture.app.settle()
    try await window.expect("Someone else has changed")
    try await other.expect("Edit \(change.name)")
    return window
  }

  private func refusal(_ answer: SubmissionAnswer) -> Refusal? {
    if case .refused(let refusal, version: _) = answer { refusal } else { nil }
  }

  @Test func `fields the user has not touched keep other users' changes`() async throws {
    let fixture = try await AnimalsFixture()
    let window = try await self.editor(fixture, after: .make("Dog", "Dog", .omnivorous))

    // As without JavaScript: the page shows what was there.
    try await window.submit("save", Self.post(["name": "Wolf"]))
    try await fixture.app.settle()

    #expect(await fixture.memory.animals["Dog"] == .make("Dog", "Wolf", .omnivorous))
    try await window.expect("Edit Wolf")
    #expect(window.url == "/animals/Dog?category=Mammal")
  }

  @Test func `a field that both users changed shows its current value`() async throws {
    let fixture = try await AnimalsFixture()

    let window = try await self.editor(fixture, after: .make("Dog", "Hound", .omnivorous, "Bird"))

    for change in ["Hound", "Bird", "Omnivore"] {
      #expect(
        window.text.contains("Someone else changed this to \(change) Keep mine Take theirs")
      )
    }
    try await fixture.app.finish()
  }

  @Test(arguments: [
    (["name": "Wolf"], "the name to \u{201C}Hound\u{201D}"),
    (
      ["name": "Wolf", "diet": "Herbivore"],
      "the name to \u{201C}Hound\u{201D} and the diet to Omnivore"
    ),
    (["name": "Wolf", "diet": "Herbivore", "nameSide": "theirs"], "the diet to Omnivore"),
    (
      ["name": "Wolf", "diet": "Herbivore", "dietSide": "mine"], "the name to \u{201C}Hound\u{201D}"
    ),
  ])
  func `a user must resolve fields that both users changed`(
    fields: [String: String],
    changes: String
  ) async throws {
    let fixture = try await AnimalsFixture()
    let now = Animal.make("Dog", "Hound", .omnivorous)
    let window = try await self.editor(fixture, after: now)

    let answer = try await window.submit("save", Self.post(fields, seen: now))

    #expect(
      self.refusal(answer)
        == Refusal(.warning, "Someone else has changed \(changes). Choose which to keep.")
    )
    #expect(await fixture.memory.animals["Dog"] == now)
    try await fixture.app.finish()
  }

  @Test(arguments: [
    (["name": "Wolf", "nameSide": "mine"], Animal.make("Dog", "Wolf", .omnivorous)),
    (["name": "Wolf", "nameSide": "theirs"], .make("Dog", "Hound", .omnivorous)),
    (["name": "Dog", "nameSide": "mine"], .make("Dog", "Dog", .omnivorous)),
    (["name": "Hound", "diet": "Omnivore"], .make("Dog", "Hound", .omnivorous)),
    (["name": "Wolf", "anyway": "yes"], .make("Dog", "Wolf", .omnivorous)),
  ])
  func `a decision is saved`(fields: [String: String], saved: Animal) async throws {
    let fixture = try await AnimalsFixture()
    let now = Animal.make("Dog", "Hound", .omnivorous)
    let window = try await self.editor(fixture, after: now)

    try await window.submit("save", Self.post(fields, seen: now))
    try await fixture.app.settle()

    #expect(await fixture.memory.animals["Dog"] == saved)
    try await window.expect("Edit \(saved.name)")
    #expect(window.url == "/animals/Dog?category=Mammal")
  }

  @Test func `a field that changed again must be resolved again`() async throws {
    let fixture = try await AnimalsFixture()
    let window = try await self.editor(fixture, after: .make("Dog", "Hound", .omnivorous))

    let answer = try await window.submit(
      "save",
      Self.post(["name": "Wolf", "nameSide": "mine"], seen: .make("Dog", "Poodle"))
    )

    #expect(self.refusal(answer)?.kind == .warning)
    try await fixture.app.finish()
  }

  @Test func `several changes are listed in one sentence`() {
    let sentence = AnimalEditor.sentence(name: "Hound", category: "Bird", diet: .omnivorous)

    #expect(
      sentence == "Someone else has changed the name to \u{201C}Hound\u{201D}, "
        + "the category to Bird and the diet to Omnivore.")
  }

  @Test(arguments: ["Cat", "  cAT "])
  func `a duplicate name causes a warning, and can be saved anyway`(name: String) async throws {
    let fixture = try await AnimalsFixture()
    let window = try await fixture.open("?category=Bird&sheet=add")
    let cat = ["name": name, "category": "Bird", "diet": "Omnivore"]

    let answer = try await window.submit("save", cat)
    #expect(
      self.refusal(answer)
        == Refusal(.warning, "There is already an animal called \u{201C}Cat\u{201D} (Mammal).")
    )
    #expect(await fixture.memory.animals.count == 6)
    try await window.submit("save", cat.merging(["anyway": "yes"]) { $1 })
    try await fixture.app.settle()

    #expect(await fixture.memory.animals.count == 7)
    try await window.expect("1 in Amphibian Bird 2 in Bird")
    #expect(window.url == "/animals/new-1?category=Bird")
  }

  @Test(arguments: [
    ("?category=Bird&sheet=add&typed=cat", true), ("?category=Bird&sheet=add&typed=Kiwi", false),
    ("/Cat?category=Mammal&sheet=edit&typed=CAT", false),
    ("/Dog?category=Mammal&sheet=edit&typed=CAT", true),
    ("/Dog?category=Mammal&sheet=edit&typed=", false),
  ])
  func `an editor warns of a duplicate name while it is typed`(
    query: String,
    isTaken: Bool
  ) async throws {
    let fixture = try await AnimalsFixture()

    let window = try await fixture.open(query)

    let warning = "There is already an animal called \u{201C}Cat\u{201D} (Mammal)."
    #expect(window.text.contains(warning) == isTaken)
    try await fixture.app.finish()
  }

  @Test func `a typed name is in the URL only while an editor is open`() async throws {
    let fixture = try await AnimalsFixture()

    let window = try await fixture.open("?category=Bird&typed=cat")

    #expect(window.url == "/animals?category=Bird")
    try await fixture.app.finish()
  }

  @Test func `keeping an animal's own name causes no warning`() async throws {
    let fixture = try await AnimalsFixture(MemoryStore([.dog, .make("Other", "Dog")]))
    let window = try await fixture.open(Self.editing)

    try await window.submit("save", Self.post(["diet": "Omnivore"]))
    try await fixture.app.settle()

    #expect(await fixture.memory.animals["Dog"]?.diet == .omnivorous)
  }
}
