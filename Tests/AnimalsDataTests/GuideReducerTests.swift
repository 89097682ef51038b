import HashTreeCollections
import ImmutableData
import TestSupport
import Testing

@testable import AnimalsData

/// Random actions of the guide, in random states: what the guide says must come of them.
struct GuideReducerTests {
  @Test(arguments: 1...10 as ClosedRange<UInt64>)
  func `the reducer and the filters do what the guide's do`(seed: UInt64) throws {
    var random = Random(generator: SeededGenerator(seed: seed))

    for _ in 1...30 {
      var state = random.state()
      for _ in 1...20 {
        let (old, action) = (state, random.action())
        var guide = Guide(old)
        let error = guide.reduce(action)

        do {
          state = try AnimalsReducer.reduce(state: old, action: action)
          #expect(error == nil, "\(action) in \(old)")
        } catch let thrown as AnimalsReducer.Error {
          #expect(thrown.code == error, "\(action) in \(old)")
        }

        #expect(Guide(state) == guide, "\(action) in \(old)")
        #expect(
          AnimalsFilter.filterCategories()(old, action) == Guide.filterCategories(action),
          "\(action) in \(old)")
        for categoryId in [nil, "x", "y"] {
          #expect(
            AnimalsFilter.filterAnimals(categoryId: categoryId)(old, action)
              == Guide(old).filterAnimals(categoryId, action),
            "\(action) in \(old)")
        }
      }
    }
  }
}

private struct Guide: Equatable {
  var categories: [AnimalsData.Category.ID: AnimalsData.Category] = [:]
  var categoriesStatus: Status?
  var animals: [Animal.ID: Animal] = [:]
  var animalsStatus: Status?
  var queue: [Animal.ID: Status] = [:]

  init(_ state: AnimalsState) {
    for (id, category) in state.categories.data { self.categories[id] = category }
    self.categoriesStatus = state.categories.status
    for (id, animal) in state.animals.data { self.animals[id] = animal }
    self.animalsStatus = state.animals.status
    for (id, status) in state.animals.queue { self.queue[id] = status }
  }

  /// - Returns: Why it is refused.
  mutating func reduce(_ action: AnimalsAction) -> AnimalsReducer.Error.Code? {
    switch action {
    case .ui(.categoryList(.onAppear)):
      self.categoriesStatus = self.categoriesStatus ?? .waiting
    case .ui(.categoryList(.onTapReloadSampleDataButton)):
      guard self.categoriesStatus != .waiting, self.animalsStatus != .waiting else { break }
      (self.categoriesStatus, self.animalsStatus) = (.waiting, .waiting)
    case .ui(.animalList(.onAppear)):
      self.animalsStatus = self.animalsStatus ?? .waiting
    case .ui(.animalList(.onTapDeleteSelectedAnimalButton(let id))),
      .ui(.animalDetail(.onTapDeleteSelectedAnimalButton(let id))),
      .ui(.animalEditor(.onTapUpdateAnimalButton(let id, name: _, diet: _, categoryId: _))):
      guard self.animals[id] != nil else { return .animalNotFound }
      self.queue[id] = .waiting
    case .ui(.animalEditor(.onTapAddAnimalButton(let id, name: _, diet: _, categoryId: _))):
      self.queue[id] = .waiting
    case .data(.persistentSession(let action)):
      return self.reduce(action)
    default:
      Issue.record("The guide has no \(action).")
    }
    return nil
  }

  private mutating func reduce(
    _ action: AnimalsAction.Data.PersistentSession
  ) -> AnimalsReducer.Error.Code? {
    switch action {
    case .didFetchCategories(.success(let categories)):
      for category in categories { self.categories[category.id] = category }
      self.categoriesStatus = .success
    case .didFetchCategories(.failure(let error)):
      self.categoriesStatus = .failure(error: error)
    case .didFetchAnimals(.success(let animals)):
      for animal in animals { self.animals[animal.id] = animal }
      self.animalsStatus = .success
    case .didFetchAnimals(.failure(let error)):
      self.animalsStatus = .failure(error: error)
    case .didReloadSampleData(.success(let animals, let categories)):
      (self.animals, self.categories) = ([:], [:])
      for animal in animals { self.animals[animal.id] = animal }
      for category in categories { self.categories[category.id] = category }
      (self.animalsStatus, self.categoriesStatus) = (.success, .success)
    case .didReloadSampleData(.failure(let error)):
      (self.animalsStatus, self.categoriesStatus) = (
        .failure(error: error), .failure(error: error)
      )
    case .didAddAnimal(let id, .success(let animal)):
      self.animals[animal.id] = animal
      self.queue[id] = .success
    case .didAddAnimal(let id, .failure(let error)):
      self.queue[id] = .failure(error: error)
    case .didUpdateAnimal(let id, let result):
      guard self.animals[id] != nil else { return .animalNotFound }
      switch result {
      case .success(let animal):
        self.animals[animal.id] = animal
        self.queue[id] = .success
      case .failure(let error):
        self.queue[id] = .failure(error: error)
      }
    case .didDeleteAnimal(let id, let result):
      guard self.animals[id] != nil else { return .animalNotFound }
      switch result {
      case .success(let animal):
        self.animals[animal.id] = nil
        self.queue[animal.id] = .success
      case .failure(let error):
        self.queue[id] = .failure(error: error)
      }
    default:
      Issue.record("The guide has no \(action).")
    }
    return nil
  }

  static func filterCategories(_ action: AnimalsAction) -> Bool {
    switch action {
    case .data(.persistentSession(.didFetchCategories(result: .success))),
      .data(.persistentSession(.didReloadSampleData(result: .success))):
      true
    default: false
    }
  }

  /// Of the state before the action.
  func filterAnimals(_ categoryId: AnimalsData.Category.ID?, _ action: AnimalsAction) -> Bool {
    switch action {
    case .data(.persistentSession(.didFetchAnimals(result: .success))),
      .data(.persistentSession(.didReloadSampleData(result: .success))):
      true
    case .data(.persistentSession(.didAddAnimal(id: _, result: .success(let animal)))),
      .data(.persistentSession(.didDeleteAnimal(animalId: _, result: .success(let animal)))):
      animal.categoryId == categoryId
    case .data(.persistentSession(.didUpdateAnimal(animalId: _, result: .success(let animal)))):
      animal.categoryId == categoryId || self.animals[animal.id]?.categoryId == categoryId
    default: false
    }
  }
}

private struct Random {
  var generator: SeededGenerator

  mutating func element<Element>(_ elements: [Element]) -> Element {
    elements.randomElement(using: &self.generator)!
  }

  private mutating func some<Element>(_ make: (inout Self) -> Element) -> [Element] {
    (0..<Int.random(in: 0...3, using: &self.generator)).map { _ in make(&self) }
  }

  private mutating func id() -> String { self.element(["a", "b", "c"]) }

  private mutating func status() -> Status? {
    self.element([nil, .empty, .waiting, .success, .failure(error: "before")])
  }

  private mutating func category() -> AnimalsData.Category {
    AnimalsData.Category(
      categoryId: self.element(["x", "y"]), name: self.element(["one", "two"]))
  }

  private mutating func animal() -> Animal {
    Animal(
      animalId: self.id(), name: self.element(["one", "two"]),
      diet: self.element(Animal.Diet.allCases), categoryId: self.element(["x", "y"]))
  }

  mutating func state() -> AnimalsState {
    var state = AnimalsState()
    for category in self.some({ $0.category() }) { state.categories.data[category.id] = category }
    for animal in self.some({ $0.animal() }) { state.animals.data[animal.id] = animal }
    for id in self.some({ $0.id() }) { state.animals.queue[id] = self.status() }
    state.categories.status = self.status()
    state.animals.status = self.status()
    return state
  }

  mutating func action() -> AnimalsAction {
    let (id, animal, animals) = (self.id(), self.animal(), self.some { $0.animal() })
    let categories = self.some { $0.category() }
    return self.element([
      .ui(.categoryList(.onAppear)),
      .ui(.categoryList(.onTapReloadSampleDataButton)),
      .ui(.animalList(.onAppear)),
      .ui(.animalList(.onTapDeleteSelectedAnimalButton(animalId: id))),
      .ui(.animalDetail(.onTapDeleteSelectedAnimalButton(animalId: id))),
      .ui(
        .animalEditor(
          .onTapAddAnimalButton(
            id: id, name: animal.name, diet: animal.diet, categoryId: animal.categoryId))),
      .ui(
        .animalEditor(
          .onTapUpdateAnimalButton(
            animalId: id, name: animal.name, diet: animal.diet, categoryId: animal.categoryId))),
      .did(.didFetchCategories(result: .success(categories: categories))),
      .did(.didFetchCategories(result: .failure(error: "now"))),
      .did(.didFetchAnimals(result: .success(animals: animals))),
      .did(.didFetchAnimals(result: .failure(error: "now"))),
      .did(.didReloadSampleData(result: .success(animals: animals, categories: categories))),
      .did(.didReloadSampleData(result: .failure(error: "now"))),
      .did(.didAddAnimal(id: id, result: .success(animal: animal))),
      .did(.didAddAnimal(id: id, result: .failure(error: "now"))),
      .did(.didUpdateAnimal(animalId: id, result: .success(animal: animal))),
      .did(.didUpdateAnimal(animalId: id, result: .failure(error: "now"))),
      .did(.didDeleteAnimal(animalId: id, result: .success(animal: animal))),
      .did(.didDeleteAnimal(animalId: id, result: .failure(error: "now"))),
    ])
  }
}
