import HashTreeCollections
import TestSupport
import Testing

@testable import AnimalsData

/// What passes, whatever the category: each brings all animals.
private let fetches: Set<ActionKind> = [
  .didFetchAnimals, .didReload, .didRefresh, .didReplaceElsewhere,
]
/// What passes besides if it concerns the category.
private let changes: Set<ActionKind> = [
  .didAdd, .didUpdate, .didMark, .didDelete, .didSaveElsewhere,
]

struct AnimalsFilterTests {
  @Test(arguments: ActionKind.allCases)
  func `the list of actions covers every kind`(kind: ActionKind) {
    #expect(ActionKind(of: .make(kind)) == kind)
  }

  @Test func `the categories filter passes exactly the actions that bring categories`() {
    let filter = AnimalsFilter.filterCategories()

    let passed = ActionKind.allCases.filter { filter(.fetched, .make($0)) }

    #expect(passed == [.didFetchCategories, .didReload, .didRefresh, .didReplaceElsewhere])
  }

  @Test(
    arguments: [
      // What it is about, the categories that it was of and is of, and what then passes.
      ("another animal", "Bird", nil, "Mammal", fetches),
      ("another animal that is known", "Bird", "Mammal", "Mammal", fetches),
      ("an animal of the category", "Mammal", "Mammal", "Mammal", fetches.union(changes)),
      ("a new animal of the category", "Mammal", nil, "Mammal", fetches.union(changes)),
      ("an animal that comes to the category", "Mammal", "Bird", "Mammal", fetches.union(changes)),
      (
        "an animal that leaves the category", "Bird", "Bird", "Mammal",
        fetches.union([.didUpdate, .didMark, .didSaveElsewhere])
      ),
      ("an animal, without a category", nil, "Mammal", "Mammal", fetches),
      ("a new animal, without a category", nil, nil, "Mammal", fetches.union([.didUpdate])),
    ] as [(String, String?, String?, String, Set<ActionKind>)])
  func `a category's filter passes exactly the actions that add or change its animals`(
    subject: String,
    categoryId: String?,
    oldCategoryId: String?,
    newCategoryId: String,
    expected: Set<ActionKind>
  ) {
    let state = AnimalsState.make(
      categories: Category.samples,
      animals: [.dog] + (oldCategoryId.map { [.make("Cat", categoryId: $0)] } ?? [])
    )
    let filter = AnimalsFilter.filterAnimals(categoryId: categoryId)

    let passed = ActionKind.allCases.filter { kind in
      filter(state, .make(kind, animal: .make("Cat", categoryId: newCategoryId)))
    }

    // That it was deleted elsewhere says nothing of where it is.
    let wasThere = categoryId != nil && oldCategoryId == categoryId
    #expect(Set(passed) == expected.union(wasThere ? [.didDeleteElsewhere] : []))
  }

  @Test func `an action that a filter refuses never changes what its selector depends on`() {
    let seed = UInt64.random(in: .min ... .max)
    print("AnimalsFilterTests seed: \(seed)")
    var generator = SeededGenerator(seed: seed)
    let categoryIds: [String?] = [nil, "Mammal", "Bird", "Fish"]
    var refusals = 0

    for _ in 0..<5_000 {
      let state = AnimalsState.random(using: &generator)
      let action = AnimalsAction.random(using: &generator)
      guard action.isAsKnown(in: state),
        let newState = try? AnimalsReducer.reduce(state: state, action: action)
      else { continue }

      if AnimalsFilter.filterCategories()(state, action) == false {
        refusals += 1
        let select = AnimalsState.selectCategories()
        #expect(select(state) == select(newState), "\(action); seed \(seed)")
      }
      for categoryId in categoryIds
      where AnimalsFilter.filterAnimals(categoryId: categoryId)(state, action) == false {
        refusals += 1
        let select = AnimalsState.selectAnimals(categoryId: categoryId)
        #expect(
          select(state) == select(newState), "\(categoryId ?? "nil"): \(action); seed \(seed)")
      }
    }

    #expect(refusals > 0)
  }
}

// Few ids and few categories, so that actions meet what is there.
extension AnimalsAction {
  /// Whether a store answers as the guide's filter expects: an addition with a new animal, and a
  /// deletion with the category that is known.
  fileprivate func isAsKnown(in state: AnimalsState) -> Bool {
    switch self {
    case .data(.persistentSession(.didAddAnimal(id: _, result: .success(let animal)))),
      .data(.persistentSession(.didDeleteAnimal(animalId: _, result: .success(let animal)))):
      [nil, animal.categoryId].contains(state.animals.data[animal.id]?.categoryId)
    default: true
    }
  }

  fileprivate static func random(using generator: inout SeededGenerator) -> Self {
    .make(
      ActionKind.allCases.randomElement(using: &generator)!,
      id: .randomAnimalId(using: &generator),
      animal: .random(using: &generator),
      animals: Animal.randoms(using: &generator),
      categories: Category.randoms(using: &generator)
    )
  }
}

extension AnimalsState {
  fileprivate static func random(using generator: inout SeededGenerator) -> Self {
    var queue: TreeDictionary<Animal.ID, Status> = [:]
    for _ in 0..<Int.random(in: 0...4, using: &generator) {
      queue[.randomAnimalId(using: &generator)] = .random(using: &generator)
    }
    return .make(
      categories: Category.randoms(using: &generator),
      categoriesStatus: .random(using: &generator),
      animals: Animal.randoms(using: &generator),
      animalsStatus: .random(using: &generator),
      queue: queue
    )
  }
}

extension Animal {
  fileprivate static func random(
    _ animalId: String? = nil,
    using generator: inout SeededGenerator
  ) -> Self {
    .make(
      animalId ?? .randomAnimalId(using: &generator),
      name: ["Cat", "Lion"].randomElement(using: &generator)!,
      categoryId: ["Mammal", "Bird", "Fish"].randomElement(using: &generator)!
    )
  }

  /// Some, of different ids.
  fileprivate static func randoms(using generator: inout SeededGenerator) -> [Self] {
    var animals: [Self] = []
    for id in String.animalIds where Bool.random(using: &generator) {
      animals.append(.random(id, using: &generator))
    }
    return animals
  }
}

extension Category {
  fileprivate static func randoms(using generator: inout SeededGenerator) -> [Self] {
    var categories: [Self] = []
    for id in ["Mammal", "Bird", "Fish"] where Bool.random(using: &generator) {
      let name = ["Old name", "New name"].randomElement(using: &generator)!
      categories.append(Self(categoryId: id, name: name))
    }
    return categories
  }
}

extension Status? {
  fileprivate static func random(using generator: inout SeededGenerator) -> Self {
    let statuses: [Self] = [nil, .empty, .waiting, .success, .failure(error: "Disk")]
    return statuses.randomElement(using: &generator)!
  }
}

extension String {
  fileprivate static var animalIds: [String] { ["Cat", "Dog", "Newt", "Sparrow", "Kangaroo"] }

  fileprivate static func randomAnimalId(using generator: inout SeededGenerator) -> String {
    self.animalIds.randomElement(using: &generator)!
  }
}
