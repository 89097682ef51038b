import AnimalsData
import ImmutableData
import ImmutableRuntime
import ImmutableUI
import Testing
import WindowTesting

@testable import AnimalsUI

struct AnimalsWindowTests {
  private static let otter = ["name": "Otter", "category": "Mammal", "diet": "Carnivore"]

  @Test func `a page includes the categories`() async throws {
    let fixture = try await AnimalsFixture()

    let window = try await fixture.open()

    #expect(
      window.text
        == "Animals Search Categories Refresh All animals 6 in All animals "
        + "Favorites 0 in Favorites Amphibian 1 in Amphibian Bird 1 in Bird Fish 0 in Fish "
        + "Invertebrate 0 in Invertebrate Mammal 4 in Mammal Reptile 0 in Reptile "
        + "Reload sample data Categories All animals Add an animal By name My order "
        + "Cat Mammal × Dog Mammal × House sparrow Bird × Newt Amphibian × "
        + "Red kangaroo Mammal × Southern gibbon Mammal × 6 animals Select an animal"
    )
    try await fixture.app.finish()
  }

  @Test func `the list of all animals that a page opens with can be sorted`() async throws {
    let fixture = try await AnimalsFixture()

    let window = try await fixture.open("?order=own")

    #expect(window.url == "/animals?order=own")
    try await fixture.app.finish()
  }

  @Test func `a deep link shows its list and its selected animal`() async throws {
    let fixture = try await AnimalsFixture()

    let window = try await fixture.open("/Kangaroo?category=Mammal")

    #expect(
      window.text.contains(
        "Cat × Dog × Red kangaroo × Southern gibbon × 4 animals Animals Red kangaroo "
          + "Add a picture Upload Category Mammal Diet Herbivore Edit Red kangaroo "
          + "Delete Red kangaroo"
      )
    )
    try await fixture.app.finish()
  }

  @Test func `many windows cause only one fetch`() async throws {
    let fixture = try await AnimalsFixture()

    for category in ["Mammal", "Bird", "Fish"] {
      _ = try await fixture.open("?category=\(category)")
    }

    #expect(await fixture.memory.fetches == 2)
  }

  @Test func `a selection of a missing category or animal is dropped`() async throws {
    let fixture = try await AnimalsFixture()

    let window = try await fixture.open("/Rose?category=Plant")

    #expect(window.url == "/animals")
    try await fixture.app.finish()
  }

  @Test func `a category without animals shows that it is empty`() async throws {
    let fixture = try await AnimalsFixture()

    let window = try await fixture.open("?category=Fish")

    #expect(window.text.contains("Add an animal No animals in this category"))
    try await fixture.app.finish()
  }

  @Test(arguments: [("Mammal", "4 animals"), ("Bird", "1 animal"), ("Fish", "")])
  func `a list shows how many animals it has`(category: String, count: String) async throws {
    let fixture = try await AnimalsFixture()

    let window = try await fixture.open("?category=\(category)")

    #expect(window.page.contains("<p class=\"quietly\" role=\"status\">\(count)</p>"))
    try await fixture.app.finish()
  }

  @Test func `categories show live counts of their animals`() async throws {
    let fixture = try await AnimalsFixture()
    let window = try await fixture.open()
    let other = try await fixture.open("/Newt?category=Amphibian")
    #expect(
      window.text.contains(
        "All animals 6 in All animals Favorites 0 in Favorites Amphibian 1 in Amphibian"))

    try await other.submit("deleteInDetail", ["animalId": "Newt"])
    try await fixture.app.settle()

    let pushes = try await window.expect(
      "All animals 5 in All animals Favorites 0 in Favorites Amphibian 0 in Amphibian")
    // Two rows, and no more.
    #expect(pushes.last?.data.contains("Reptile") == false)
    try await other.expect("No animals in this category")
    try await fixture.app.finish()
  }

  @Test func `all animals are listed with their categories`() async throws {
    let fixture = try await AnimalsFixture()

    let window = try await fixture.open("?all=true&category=Mammal")

    #expect(window.url == "/animals?all=true")
    #expect(
      window.text.contains("All animals Add an animal By name My order Cat Mammal × Dog Mammal ×"))
    #expect(window.text.contains("6 animals"))
    #expect(window.page.contains(/data-key=""[^>]* aria-current="true"/))
    try await fixture.app.finish()
  }

  @Test(arguments: [
    ("KANG", "Red kangaroo Mammal × 1 of 6"), ("ö", "Southern gibbon Mammal × 4 of 6"),
    ("zz", "No animals match “zz” Show all animals"), ("%20", "6 animals"),
    // The name of a category may be what was meant.
    ("bird", "No animals match “bird” Category: Bird Show all animals"),
    ("b", "1 of 6 Category: Bird"),
  ])
  func `a search finds names of all categories`(text: String, shown: String) async throws {
    let fixture = try await AnimalsFixture()

    let window = try await fixture.open("?all=true&search=\(text)")

    #expect(window.text.contains(shown))
    try await fixture.app.finish()
  }

  @Test func `what a search finds is marked in the names`() async throws {
    let fixture = try await AnimalsFixture()

    let window = try await fixture.open("?all=true&search=KÀNG")

    #expect(window.html.contains("<bdi>Red <mark>kang</mark>aroo</bdi>"))
    #expect(try await fixture.open("?all=true").html.contains("<mark>") == false)
    try await fixture.app.finish()
  }

  @Test func `a search includes animals that others add`() async throws {
    let fixture = try await AnimalsFixture()
    let window = try await fixture.open("?all=true&search=otter")
    let other = try await fixture.open("?category=Mammal&sheet=add")
    #expect(window.text.contains("No animals match “otter”"))

    try await other.submit("save", Self.otter)
    try await fixture.app.settle()

    try await window.expect("Otter Mammal × 1 of 7")
    #expect(window.url == "/animals?all=true&search=otter")
    try await other.expect("Edit Otter")
    try await fixture.app.finish()
  }

  @Test(arguments: [
    ("", "/animals/new-1"), ("&category=Bird", "/animals/new-1?category=Mammal"),
    ("&all=true", "/animals/new-1?all=true"),
    ("&all=true&search=ott", "/animals/new-1?all=true&search=ott"),
    // Such a search would hide it.
    ("&all=true&search=cat", "/animals/new-1?all=true"),
  ])
  func `an added animal is listed and selected in its own window`(
    query: String,
    url: String
  ) async throws {
    let fixture = try await AnimalsFixture()
    let window = try await fixture.open("?sheet=add\(query)")

    try await window.submit("save", Self.otter)
    try await fixture.app.settle()

    try await window.expect("Edit Otter")
    #expect(window.url == url)
    try await fixture.app.finish()
  }

  @Test func `an added animal is listed in the part of a long list that has its row`() async throws
  {
    let many = (0..<600).map { Animal.make("\($0)", "Cat \(1_000 + $0)") }
    let fixture = try await AnimalsFixture(MemoryStore(many))
    let window = try await fixture.open("?category=Mammal&sheet=add")

    try await window.submit("save", Self.otter)
    try await fixture.app.settle()

    try await window.expect("Cat 1599 × Otter ×")
    #expect(window.url == "/animals/new-1?category=Mammal&from=500.500")
    try await fixture.app.finish()
  }

  @Test func `a new animal shows in every window, and its editor closes`() async throws {
    let fixture = try await AnimalsFixture()
    let window = try await fixture.open("?category=Mammal&sheet=add")
    let other = try await fixture.open("?category=Mammal")
    let elsewhere = try await fixture.open("?category=Bird")

    try await window.submit("save", Self.otter, token: "token")
    try await fixture.app.settle()

    try await window.expect("Dog × Otter ×")
    #expect(window.url == "/animals/new-1?category=Mammal")
    try await other.expect("Dog × Otter ×")
    #expect(other.url == "/animals?category=Mammal")
    let pushes = try await elsewhere.expect("Mammal 5 in Mammal")
    #expect(pushes.count == 1)
    #expect(elsewhere.url == "/animals?category=Bird")
    try await fixture.app.finish()
  }

  @Test func `a recorded URL has a pseudonym only for the name of an animal`() async throws {
    let fixture = try await AnimalsFixture()
    let url = "/animals/Dog?category=Mammal&sheet=edit&was=Carnivore%7EMammal%7E"

    let recorded = fixture.app.windows.url(url + "Dog", environment: WindowEnvironment()) {
      String($0.reversed())
    }

    #expect(recorded == url + "goD")
  }

  @Test func `an editor shows that it is saving, and others cannot change the animal then`()
    async throws
  {
    let fixture = try await AnimalsFixture()
    let window = try await fixture.open("/Dog?category=Mammal&sheet=edit")
    let editing = "/Dog?category=Mammal&sheet=edit"
    let other = try await fixture.open(editing + "&was=Carnivore%7EMammal%7EDog")
    await fixture.memory.hold()

    try await window.submit("save", Self.otter.merging(["animalId": "Dog"]) { $1 })
    await fixture.memory.arrival()
    #expect(window.url.hasPrefix("/animals/Dog?category=Mammal&sheet=edit%7E%7E"))
    #expect(window.text.contains("Saving…"))
    try await other.expect("Edit Dog Delete Dog")
    let answer = try await other.submit("save", Self.otter.merging(["animalId": "Dog"]) { $1 })

    guard case .refused(let refusal, version: _) = answer else {
      Issue.record("it was accepted")
      return
    }
    #expect(
      refusal
        == Refusal(
          .conflict,
          "This animal is still being saved or deleted. Try again in a moment."
        )
    )
    await fixture.memory.release()
    try await fixture.app.settle()
    try await window.expect("Edit Otter")
    #expect(window.url == "/animals/Dog?category=Mammal")
    try await other.expect("Someone else has changed the name to “Otter”.")
    #expect(other.url == "/animals\(editing)&was=Carnivore%7EMammal%7EDog")
    try await fixture.app.finish()
  }

  @Test func `an editor whose save failed stays open and says why`() async throws {
    let fixture = try await AnimalsFixture()
    let window = try await fixture.open("?category=Mammal&sheet=add")
    await fixture.memory.fail()

    try await window.submit("save", Self.otter, token: "token")
    try await fixture.app.settle()

    try await window.expect("This could not be saved: the disk is full")
    #expect(window.url.hasPrefix("/animals?category=Mammal&sheet=add%7E%7E"))

    await fixture.memory.fail(nil)
    try await window.submit("save", Self.otter, token: "again")
    try await fixture.app.settle()
    try await window.expect("Dog × Otter ×")
    #expect(window.url == "/animals/new-1?category=Mammal")
    try await fixture.app.finish()
  }

  @Test func `a reload after a failed addition shows the typed input again`() async throws {
    let fixture = try await AnimalsFixture()
    let session = Identifier()
    let window = try await fixture.open("?category=Mammal&sheet=add", session: session)
    await fixture.memory.fail()
    try await window.submit("save", Self.otter, token: "token")
    try await fixture.app.settle()

    let again = try await fixture.app.open(window.url, session: session)
    let stranger = try await fixture.app.open(window.url)

    #expect(again.page.contains("name=\"name\" value=\"Otter\""))
    #expect(again.page.contains("<option value=\"Carnivore\" selected>"))
    #expect(stranger.page.contains("Otter") == false)
  }

  @Test func `a reload after a failed edit shows the typed input again`()
    async throws
  {
    let fixture = try await AnimalsFixture()
    let session = Identifier()
    let window = try await fixture.open(
      "/Dog?category=Mammal&sheet=edit",
      session: session
    )
    await fixture.memory.fail()
    try await window.submit("save", Self.otter.merging(["animalId": "Dog"]) { $1 })
    try await fixture.app.settle()
    #expect(window.url.hasPrefix("/animals/Dog?category=Mammal&sheet=edit%7E%7E"))

    let again = try await fixture.app.open(window.url, session: session)

    #expect(again.page.contains("name=\"name\" value=\"Otter\""))
  }

  @Test func `an editor says that its animal has been deleted, and can add it again`()
    async throws
  {
    let fixture = try await AnimalsFixture()
    let editing = "/Dog?category=Mammal&sheet=edit&was=Carnivore%7EMammal%7EDog"
    let window = try await fixture.open(editing)
    let other = try await fixture.open("/Dog?category=Mammal")

    try await other.submit("deleteInDetail", ["animalId": "Dog"])
    try await fixture.app.settle()

    try await other.expect("Select an animal")
    #expect(other.url == "/animals?category=Mammal")
    try await window.expect("This animal has been deleted in another window. Saving adds it again.")
    #expect(window.text.contains("Add animal"))

    try await window.submit("save", Self.otter)
    try await fixture.app.settle()
    try await window.expect("Cat × Otter ×")
    #expect(window.url == "/animals/new-1?category=Mammal")
    try await other.expect("Cat × Otter ×")
    try await fixture.app.finish()
  }

  @Test func `an editor keeps the values of an animal that was deleted`() async throws {
    let wolf = Animal.make("Dog", "Wolf ~ %7E", .omnivorous, "Bird")
    let fixture = try await AnimalsFixture(MemoryStore([wolf]))
    let window = try await fixture.open("/Dog?category=Mammal&sheet=edit")
    let other = try await fixture.open("/Dog?category=Mammal")

    try await other.submit("deleteInDetail", ["animalId": "Dog"])
    try await fixture.app.settle()

    try await window.expect("This animal has been deleted in another window. Saving adds it again.")
    let reloaded = try await fixture.app.open(window.url)
    for page in [window.html, reloaded.page] {
      #expect(page.contains("value=\"Wolf ~ %7E\""))
      #expect(page.contains("<option value=\"Bird\" selected>"))
      #expect(page.contains("<option value=\"Omnivore\" selected>"))
      #expect(page.contains("name=\"animalId\"") == false)
    }
  }

  @Test func `a long list of animals is split into parts`() async throws {
    let animals = (1_000..<1_501).map { Animal.make("a\($0)", "Ape \($0)") }
    let fixture = try await AnimalsFixture(MemoryStore(animals))

    let window = try await fixture.open("/a1500?category=Mammal")
    let next = try await fixture.open("?category=Mammal&from=a1500")

    #expect(window.text.contains("Ape 1499 × 501 animals Showing 1–500 of 501"))
    #expect(window.text.contains("Go to the selected one Previous Next"))
    #expect(window.text.contains("Ape 1500 ×") == false)
    #expect(next.text.contains("Ape 1500 × 501 animals Showing 501–501 of 501 Previous"))
    let all = try await fixture.open("?from=a1500").text
    #expect(all.contains("Ape 1500 Mammal × 501 animals Showing 501–501 of 501 Previous"))
  }

  @Test
  func `a list part stays in place when animals are added or deleted before it`()
    async throws
  {
    let animals = (1_000..<1_502).map { Animal.make("a\($0)", "Ape \($0)") }
    let fixture = try await AnimalsFixture(MemoryStore(animals))
    let window = try await fixture.open("?category=Mammal&from=a1500.500")
    let other = try await fixture.open()

    try await other.submit("save", ["name": "Ant", "category": "Mammal", "diet": "Omnivore"])
    try await fixture.app.settle()

    try await window.expect("Ape 1500 × Ape 1501 × 503 animals Showing 502–503 of 503 Previous")
    #expect(window.url == "/animals?category=Mammal&from=a1500.500")

    try await other.submit("rows", ["row": "delete~a1500"])
    try await fixture.app.settle()
    try await window.expect("Showing 501–502 of 502 Previous")
    #expect(window.url == "/animals?category=Mammal&from=a1500.500")

    for animal in ["a1000", "a1501"] {
      try await other.submit("rows", ["row": "delete~\(animal)"])
      try await fixture.app.settle()
    }
    try await window.expect("Ape 1499 × 500 animals")
  }

  @Test func `an animal is deleted from the list`() async throws {
    let fixture = try await AnimalsFixture()
    let window = try await fixture.open("/Dog?category=Mammal")
    try await window.submit("rows", ["row": "delete~Cat"])
    try await fixture.app.settle()

    try await window.expect("Add an animal By name My order Dog ×")
    #expect(window.url == "/animals/Dog?category=Mammal")
    try await fixture.app.finish()
  }

  @Test func `an editor whose save failed is not closed by another window's save`() async throws {
    let fixture = try await AnimalsFixture()
    let editing = "/Dog?category=Mammal&sheet=edit&was=Carnivore%7EMammal%7EDog"
    let window = try await fixture.open(editing)
    let other = try await fixture.open(editing)
    await fixture.memory.fail()
    try await window.submit("save", Self.otter.merging(["animalId": "Dog"]) { $1 })
    try await fixture.app.settle()
    try await window.expect("This could not be saved: the disk is full")
    await fixture.memory.fail(nil)

    try await other.submit("save", Self.otter.merging(["animalId": "Dog"]) { $1 })
    try await fixture.app.settle()

    try await window.expect("This could not be saved: the disk is full")
    #expect(window.text.contains("Someone else has changed the name to “Otter”."))
    try await other.expect("Edit Otter")
    #expect(other.url == "/animals/Dog?category=Mammal")
    try await fixture.app.finish()
  }

  @Test func `a save does not overwrite a change that was not seen`() async throws {
    let fixture = try await AnimalsFixture()
    let window = try await fixture.open("/Dog?category=Mammal&sheet=edit")
    let fields = Self.otter.merging(
      ["animalId": "Dog", "seen": "Carnivore~Mammal~Hound"]
    ) { $1 }

    let answer = try await window.submit("save", fields)

    guard case .refused(let refusal, version: _) = answer else {
      Issue.record("it was accepted")
      return
    }
    #expect(refusal.kind == .warning)
    #expect(
      refusal.message
        == "Someone else has changed the name to \u{201C}Dog\u{201D}. Choose which to keep."
    )
    try await fixture.app.finish()
  }

  @Test func `a failure in one window is not shown in another`() async throws {
    let fixture = try await AnimalsFixture()
    let window = try await fixture.open("/Dog?category=Mammal&sheet=edit")
    let other = try await fixture.open("/Dog?category=Mammal&sheet=edit")
    await fixture.memory.fail()

    try await other.submit("save", Self.otter.merging(["animalId": "Dog"]) { $1 })
    try await fixture.app.settle()

    _ = try window.receive()
    #expect(window.text.contains("could not be saved") == false)
  }

  @Test func `a failed deletion is not shown with another animal`() async throws {
    let fixture = try await AnimalsFixture()
    let (cat, dog) = (
      try await fixture.open("/Cat?category=Mammal"), try await fixture.open("/Dog?category=Mammal")
    )
    await fixture.memory.fail()

    try await cat.submit("deleteInDetail", ["animalId": "Cat"])
    try await fixture.app.settle()

    _ = try (cat.receive(), dog.receive())
    #expect(cat.html.contains("class=\"failed-change\""))
    #expect(dog.html.contains("class=\"failed-change\"") == false)
    #expect(dog.text.contains("Cat could not be deleted: the disk is full"))
  }

  @Test func `a failed deletion says why and can be retried`() async throws {
    let fixture = try await AnimalsFixture()
    let window = try await fixture.open("?category=Mammal")
    await fixture.memory.fail()

    try await window.submit("rows", ["row": "delete~Cat"])
    try await fixture.app.settle()

    try await window.expect("Cat could not be deleted: the disk is full")
    #expect(window.text.contains("Cat × Dog ×"))
    try await window.submit("dismiss")
    try await window.expect("My order Cat × Dog ×")
    #expect(window.text.contains("could not be saved") == false)
    await fixture.memory.fail(nil)
    try await window.submit("rows", ["row": "delete~Cat"])
    try await fixture.app.settle()
    try await window.expect("My order Dog ×")
    #expect(window.text.contains("could not be saved") == false)
    try await fixture.app.finish()
  }

  @Test(arguments: [("rows", ["row": "delete~Cat"]), ("deleteInDetail", ["animalId": "Cat"])])
  func `a failed deletion is not shown any more once it is tried again`(
    form: String, fields: [String: String]
  ) async throws {
    let fixture = try await AnimalsFixture()
    let window = try await fixture.open("/Cat?category=Mammal")
    await fixture.memory.fail()
    try await window.submit(form, fields)
    try await fixture.app.settle()
    try await window.expect("Cat could not be deleted: the disk is full")
    await fixture.memory.hold()

    try await window.submit(form, fields)
    await fixture.memory.arrival()

    try await fixture.app.frame()
    _ = try window.receive()
    #expect(window.text.contains("could not be deleted") == false)
    await fixture.memory.release()
    try await fixture.app.settle()
    try await window.expect("Cat could not be deleted: the disk is full")
  }

  @Test func `sample data are reloaded in every window`() async throws {
    let fixture = try await AnimalsFixture(MemoryStore([.make("a", "Ape")]))
    let window = try await fixture.open("?category=Mammal&sheet=reload")
    let other = try await fixture.open("/a?category=Mammal")
    #expect(window.text.contains("Reload sample data?"))

    try await window.submit("reload")
    try await fixture.app.settle()

    try await window.expect("Cat × Dog ×")
    #expect(window.url == "/animals?category=Mammal")
    try await other.expect("Cat × Dog ×")
    #expect(other.url == "/animals?category=Mammal")
    try await fixture.app.finish()
  }

  @Test func `a reload is refused while an animal is being changed`() async throws {
    let fixture = try await AnimalsFixture()
    let window = try await fixture.open("/Dog?category=Mammal")
    let other = try await fixture.open("?sheet=reload")
    await fixture.memory.hold()
    try await window.submit("deleteInDetail", ["animalId": "Dog"])
    await fixture.memory.arrival()

    let answer = try await other.submit("reload")

    guard case .refused(let refusal, version: _) = answer else {
      Issue.record("it was accepted")
      return
    }
    #expect(refusal.kind == .conflict)
    await fixture.memory.release()
    try await fixture.app.settle()
  }

  @Test func `a reload is refused while a fetch is running`() async throws {
    let fixture = try await AnimalsFixture()
    let window = try await fixture.open("?category=Mammal")
    let other = try await fixture.open("?sheet=reload")
    await fixture.memory.hold()
    try await window.submit("refresh")
    await fixture.memory.arrival()

    let answer = try await other.submit("reload")

    guard case .refused(let refusal, version: _) = answer else {
      Issue.record("it was accepted")
      return
    }
    #expect(refusal.kind == .conflict)
    await fixture.memory.release()
    try await fixture.app.settle()
  }

  @Test func `a new animal cannot take the place of another`() async throws {
    let fixture = try await AnimalsFixture()
    let window = try await fixture.open("?category=Mammal&sheet=add")

    let answer = try await window.submit("save", Self.otter, token: "Dog")

    guard case .refused = answer else {
      Issue.record("it was accepted")
      return
    }
    try await fixture.app.finish()
  }

  @Test func `changes that others made in the store show after a refresh`() async throws {
    let fixture = try await AnimalsFixture()
    let window = try await fixture.open("?category=Mammal")
    let other = try await fixture.open("?category=Mammal")
    await fixture.memory.change(.make("Cat", "Tomcat"))

    try await window.submit("refresh")
    try await fixture.app.settle()

    try await window.expect("Tomcat")
    let pushes = try await other.expect("Tomcat")
    #expect(pushes.last?.data.contains("Southern gibbon") == false)
    try await fixture.app.finish()
  }

  /// It "had been deleted in the meantime", and the editor added it once more.
  @Test func `an animal whose fetch failed is edited, not added`() async throws {
    let memory = MemoryStore()
    await memory.fail()
    let fixture = try await AnimalsFixture(memory)
    let window = try await fixture.open("/Dog?category=Mammal&sheet=edit")
    #expect(window.text.contains("Edit animal"))
    #expect(window.html.contains(/name="animalId"[^>]*value="Dog"/))

    let fields = ["animalId": "Dog", "name": "Dingo", "category": "Mammal", "diet": "Carnivore"]
    let answer = try await window.submit("save", fields)

    guard case .refused(let refusal, version: _) = answer else {
      Issue.record("\(answer)")
      return
    }
    #expect(
      refusal.message
        == "The animals are not loaded, so nothing was changed. Try again once they appear.")
    await memory.fail(nil)
    try await window.submit("refresh")
    try await fixture.app.settle()
    try await window.submit("save", fields)
    try await fixture.app.settle()
    try await window.expect("Cat × Dingo ×")
    try await fixture.app.finish()
  }

  @Test func `a failed fetch says why and can be retried`() async throws {
    let memory = MemoryStore()
    await memory.fail()
    let fixture = try await AnimalsFixture(memory)

    let window = try await fixture.open("?category=Mammal")
    #expect(window.url == "/animals?category=Mammal")
    #expect(window.text.contains("The categories could not be loaded: the disk is full Retry"))
    await memory.fail(nil)
    try await window.submit("refresh")
    try await fixture.app.settle()

    try await window.expect("Cat × Dog ×")
    try await fixture.app.finish()
  }

  @Test(arguments: [
    (["name": " ", "category": "Mammal", "diet": "Carnivore"], "name", "Enter a name."),
    (
      ["name": String(repeating: "x", count: 201), "category": "Mammal", "diet": "Carnivore"],
      "name", "This name is too long. Enter one of at most 200 characters."
    ),
    (
      ["name": "Otter", "category": "Plant", "diet": "Carnivore"],
      "category", "This category no longer exists. Select another."
    ),
    (["name": "Otter", "category": "", "diet": "Carnivore"], "category", "Select a category."),
    (["name": "Otter", "category": "Mammal", "diet": "Fish"], "diet", "Select a diet."),
  ])
  func `an empty or invalid field shows its validation error beside it`(
    fields: [String: String],
    field: String,
    message: String
  ) async throws {
    let fixture = try await AnimalsFixture()
    let window = try await fixture.open("?sheet=add")

    let answer = try await window.submit("save", fields)

    guard case .refused(let refusal, version: _) = answer else {
      Issue.record("it was accepted")
      return
    }
    #expect(refusal == Refusal(field: field, message))
    try await fixture.app.finish()
  }

  @Test func `labels isolate a name from right to left, also while its animal is being changed`()
    async throws
  {
    let fixture = try await AnimalsFixture(MemoryStore([.make("dog", "כלב"), .cat]))
    let window = try await fixture.open("/dog?category=Mammal&order=own")
    let labels = ["Favorite ¶", "Delete ¶", "Move ¶ up", "Move ¶ down"].map {
      "aria-label=\"\($0.replacing("¶", with: "\u{2068}כלב\u{2069}"))\""
    }
    let before = window.html
    await fixture.memory.hold()

    try await window.submit("rows", ["row": "delete~dog"])
    await fixture.memory.arrival()
    try await fixture.app.frame()
    _ = try window.receive()

    #expect(labels.filter { before.contains($0) == false } == [])
    #expect(labels.filter { window.html.contains($0) == false } == [])
    #expect(window.title == "\u{2068}כלב\u{2069} · Animals")
    await fixture.memory.release()
    try await fixture.app.settle()
  }

  @Test func `posts are refused while too many effects are running`() async throws {
    let fixture = try await AnimalsFixture(backlog: 20)  // of which one client may have a quarter
    let window = try await fixture.open("?category=Mammal")
    await fixture.memory.hold()

    var accepted = 0
    for _ in 1...20 {
      do {
        try await window.submit("save", Self.otter)
        accepted += 1
      } catch let error as WindowError where error.code == .overloaded {}
    }

    #expect(accepted == 5)
    await fixture.memory.release()
    try await fixture.app.settle()
    #expect(await fixture.memory.animals.values.count { $0.name == "Otter" } == accepted)
  }

  @Test func `without JavaScript a page refreshes itself while an operation is running`()
    async throws
  {
    let fixture = try await AnimalsFixture(appearTimeout: .zero)
    let window = try await fixture.open("/Dog?category=Mammal&sheet=edit")
    try await fixture.app.settle()
    await fixture.memory.hold()
    try await window.submit("save", Self.otter.merging(["animalId": "Dog"]) { $1 })
    await fixture.memory.arrival()

    let isWaiting = { (path: String) in
      guard
        case .content(let page) = try await fixture.app.windows.page(
          path,
          query: Query("category=Mammal")
        )
      else { return false }
      return page.isWaiting
    }

    #expect(try await isWaiting("/animals") == false)
    #expect(try await isWaiting("/animals/Dog"))
    await fixture.memory.release()
    try await fixture.app.settle()
    #expect(try await isWaiting("/animals/Dog") == false)
  }

  @Test func `a name is shown as it was typed`() async throws {
    let fixture = try await AnimalsFixture()
    let window = try await fixture.open("?category=Mammal&sheet=add")
    let name = "<b>\"x\"</b> & é\"\u{301}"

    try await window.submit(
      "save", ["name": name, "category": "Mammal", "diet": "Omnivore"]
    )
    try await fixture.app.settle()

    try await window.expect("<b>\"x\"</b> & é\"\u{301}")
    #expect(window.html.contains("&lt;b&gt;&quot;x&quot;&lt;/b&gt; &amp; é&quot;\u{301}"))
    try await fixture.app.finish()
  }

  @Test func `a rename in a long list sends one row to every window`() async throws {
    let animals = (1...300).map { Animal.make("\($0)", "Animal \($0)") }
    let fixture = try await AnimalsFixture(MemoryStore(animals))
    var windows: [TestWindow] = []
    for _ in 1...50 {
      windows.append(try await fixture.open("?category=Mammal"))
    }
    let before = fixture.app.windows.counts

    try await fixture.store.dispatch(
      action: .data(
        .persistentSession(
          .didUpdateAnimal(
            animalId: "7",
            result: .success(animal: .make("7", "Animal 7 renamed"))
          )
        )
      )
    )
    try await fixture.app.frame()

    let counts = fixture.app.windows.counts
    #expect(counts.rowRenders - before.rowRenders == 1)
    for window in windows {
      let pushes = try window.receive()
      #expect(pushes.count == 1)
      #expect(pushes[0].data.utf8.count < 700)
      #expect(window.text.contains("Animal 7 renamed"))
    }
    try await fixture.app.finish()
  }
}
