import HashTreeCollections
import PlainText
import Testing

@testable import AnimalsData

/// Selectors of the whole catalog.
struct AnimalsCatalogTests {
  private let state = AnimalsState.make(
    categories: Category.samples,
    animals: [.cat, .dog, .kangaroo, .sparrow, .make("Emu", name: "Ému", categoryId: "Bird")]
  )

  @Test(arguments: [
    ("", ["Cat", "Dog", "House sparrow", "Red kangaroo", "Ému"]),
    ("RO", ["House sparrow", "Red kangaroo"]), ("emu", ["Ému"]), ("sparrow x", []),
  ])
  func `a search ignores case and accents`(text: String, names: [String]) {
    let rows = SortedRows.animals(found: SearchText(text)).with(self.state.animals.table)

    #expect(rows.map(\.name) == names)
  }

  @Test func `animals are counted by category`() {
    let counts = RowCounts.byCategory.with(self.state.animals.table).output

    #expect(counts == ["Mammal": 3, "Bird": 2])
  }

  @Test(
    arguments: [
      ("cat", nil, "Cat"), ("CAT ", "Dog", "Cat"), ("cat", "Cat", nil), ("Ca", nil, nil),
      (" ", nil, nil),
    ] as [(String, String?, String?)])
  func `a namesake is another animal with the same name`(
    name: String,
    animalId: String?,
    namesake: String?
  ) {
    let animal = AnimalsState.selectNamesake(of: name, except: animalId)(self.state)

    #expect(animal?.id == namesake)
  }
}

// What was added.
extension AnimalsCatalogTests {
  private func added(_ placeholder: Animal.ID, in state: AnimalsState) -> Animal? {
    AnimalsState.selectAnimal(addedWhere: { $0 == placeholder })(state)
  }

  @Test func `a placeholder finds the added animal until its status is forgotten`() throws {
    let animal = Animal.make("new", name: "Otter")
    var state = self.state
    for action in [
      AnimalsAction.onTapAdd("token", animal),
      .did(.didAddAnimal(id: "token", result: .success(animal: animal))),
    ] {
      state = try AnimalsReducer.reduceOrRefuse(state: state, action: action)
    }
    #expect(self.added("token", in: state) == animal)
    #expect(self.added("other", in: state) == nil)

    for index in 1..<2 * AnimalsReducer.statusLimit {
      state = try AnimalsReducer.reduceOrRefuse(
        state: state,
        action: .did(.didAddAnimal(id: "\(index)", result: .failure(error: "Disk")))
      )
    }

    #expect(self.added("token", in: state) == nil)
    #expect(state.animals.added.isEmpty)
  }

  @Test func `the guide's reducer does not remember added animals`() throws {
    let action = AnimalsAction.did(.didAddAnimal(id: "token", result: .success(animal: .newt)))

    let state = try AnimalsReducer.reduce(state: self.state, action: action)

    #expect(state.animals.added.isEmpty)
  }
}
