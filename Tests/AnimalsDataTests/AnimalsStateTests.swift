import Foundation
import HashTreeCollections
import Testing

@testable import AnimalsData

struct AnimalsStateTests {
  private let state = AnimalsState.fetched

  @Test func `a new state has nothing and has fetched nothing`() {
    #expect(AnimalsState() == .make())
  }
}

// Categories.
extension AnimalsStateTests {
  @Test func `all categories are selected by id`() {
    let categories = AnimalsState.selectCategories()(.make(categories: [.mammal, .bird]))

    #expect(categories == ["Mammal": .mammal, "Bird": .bird])
  }

  @Test func `categories are sorted by name`() {
    let state = AnimalsState.make(categories: [.mammal, .bird, .fish])

    let categories = AnimalsState.selectCategoriesValues(sort: \Category.name)(state)

    #expect(categories == [.bird, .fish, .mammal])
  }

  @Test func `categories are sorted backwards`() {
    let state = AnimalsState.make(categories: [.mammal, .bird, .fish])

    let categories = AnimalsState.selectCategoriesValues(
      sort: \Category.name,
      order: .reverse
    )(state)

    #expect(categories == [.mammal, .fish, .bird])
  }

  @Test(arguments: [SortOrder.forward, .reverse])
  func `equal categories are sorted by their id`(order: SortOrder) {
    let state = AnimalsState.make(
      categories: (1...50).map { Category(categoryId: "\($0)", name: "Same") }
    )

    let categories = AnimalsState.selectCategoriesValues(
      sort: \Category.name,
      order: order
    )(state)

    #expect(categories == state.categories.data.values.sorted { $0.id < $1.id })
  }

  @Test(arguments: [nil, Status.empty, .waiting, .success, .failure(error: "Disk")])
  func `the status of categories is that of their fetch`(status: Status?) {
    let state = AnimalsState.make(categoriesStatus: status, animalsStatus: .empty)

    #expect(AnimalsState.selectCategoriesStatus()(state) == status)
  }

  @Test(
    arguments: [
      ("Bird", .bird), ("Dragon", nil), (nil, nil),
    ] as [(String?, Category?)])
  func `a category is found by its id`(categoryId: String?, category: Category?) {
    #expect(AnimalsState.selectCategory(categoryId: categoryId)(self.state) == category)
  }

  @Test(
    arguments: [
      ("Sparrow", .bird), ("Dragon", nil), (nil, nil),
    ] as [(String?, Category?)])
  func `a category is found by one of its animals`(
    animalId: String?,
    category: Category?
  ) {
    #expect(AnimalsState.selectCategory(animalId: animalId)(self.state) == category)
  }

  @Test func `an animal whose category is missing has no category`() {
    let state = AnimalsState.make(categories: [.bird], animals: [.cat])

    #expect(AnimalsState.selectCategory(animalId: "Cat")(state) == nil)
  }
}

// Animals.
extension AnimalsStateTests {
  @Test(
    arguments: [
      ("Mammal", ["Dog": .dog, "Cat": .cat, "Kangaroo": .kangaroo, "Bibbon": .gibbon]),
      ("Bird", ["Sparrow": .sparrow]),
      ("Fish", [:]),
      ("Dragon", [:]),
      (nil, [:]),
    ] as [(String?, TreeDictionary<Animal.ID, Animal>)])
  func `the animals of a category are selected by id`(
    categoryId: String?,
    animals: TreeDictionary<Animal.ID, Animal>
  ) {
    #expect(AnimalsState.selectAnimals(categoryId: categoryId)(self.state) == animals)
  }

  @Test(
    arguments: [
      ("Mammal", .forward, [.cat, .dog, .kangaroo, .gibbon]),
      ("Mammal", .reverse, [.gibbon, .kangaroo, .dog, .cat]),
      ("Bird", .forward, [.sparrow]),
      ("Fish", .forward, []),
      (nil, .forward, []),
    ] as [(String?, SortOrder, [Animal])])
  func `the animals of a category are sorted by name`(
    categoryId: String?,
    order: SortOrder,
    animals: [Animal]
  ) {
    let values = AnimalsState.selectAnimalsValues(
      categoryId: categoryId,
      sort: \Animal.name,
      order: order
    )(self.state)

    #expect(values == animals)
  }

  @Test(arguments: [SortOrder.forward, .reverse])
  func `equal animals are sorted by their id`(order: SortOrder) {
    let state = AnimalsState.make(
      animals: (1...50).map { .make("\($0)", name: "Same") } + [.sparrow]
    )

    let animals = AnimalsState.selectAnimalsValues(
      categoryId: "Mammal",
      sort: \Animal.name,
      order: order
    )(state)

    #expect(animals.map(\.id) == (1...50).map { "\($0)" }.sorted())
  }

  @Test(arguments: [nil, Status.empty, .waiting, .success, .failure(error: "Disk")])
  func `the status of animals is that of their fetch`(status: Status?) {
    let state = AnimalsState.make(categoriesStatus: .empty, animalsStatus: status)

    #expect(AnimalsState.selectAnimalsStatus()(state) == status)
  }

  @Test(
    arguments: [
      ("Cat", .cat), ("Dragon", nil), (nil, nil),
    ] as [(String?, Animal?)])
  func `an animal is found by its id`(animalId: String?, animal: Animal?) {
    #expect(AnimalsState.selectAnimal(animalId: animalId)(self.state) == animal)
  }

  @Test(
    arguments: [
      ("Cat", .waiting), ("placeholder", .success), ("Dog", nil), (nil, nil), ("K", .waiting),
      // A Kelvin sign, which Unicode calls equivalent.
      ("\u{212A}", nil),
    ] as [(String?, Status?)])
  func `the status of an animal is that of its newest operation`(
    animalId: String?,
    status: Status?
  ) {
    let state = AnimalsState.make(
      animals: [.cat, .dog],
      queue: ["Cat": .waiting, "placeholder": .success, "K": .waiting]
    )

    #expect(AnimalsState.selectAnimalStatus(animalId: animalId)(state) == status)
  }
}

// What is under way.
extension AnimalsStateTests {
  @Test(arguments: [
    AnimalsState.make(categoriesStatus: .waiting),
    .make(animalsStatus: .waiting),
    .make(queue: ["Cat": .success, "Dog": .waiting]),
    .make(queue: ["placeholder": .waiting]),
  ])
  func `an unfinished fetch or operation counts as waiting`(state: AnimalsState) {
    #expect(AnimalsState.selectIsWaiting()(state))
  }

  @Test(arguments: [
    AnimalsState.make(),
    .fetched,
    .make(categoriesStatus: .empty, animalsStatus: .failure(error: "Disk")),
    .make(queue: ["Cat": .success, "Dog": .failure(error: "Disk"), "Newt": .empty]),
  ])
  func `nothing is waiting when everything has ended`(state: AnimalsState) {
    #expect(AnimalsState.selectIsWaiting()(state) == false)
  }
}
