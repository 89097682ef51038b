import AnimalsData
import Foundation
import QuakesData
import TestSupport

extension Date {
  static let noon = Date(timeIntervalSince1970: 1_518_004_800)
}

extension AnimalsAction {
  static func did(_ action: Data.PersistentSession) -> Self {
    .data(.persistentSession(action))
  }
}

extension QuakesAction {
  static func local(_ action: Data.PersistentSession.LocalStore) -> Self {
    .data(.persistentSession(.localStore(action)))
  }
}

/// Actions of the products, the same for the same seed.
struct RandomActions {
  var generator: SeededGenerator

  private mutating func element<Element>(_ elements: [Element]) -> Element {
    elements.randomElement(using: &self.generator)!
  }

  private mutating func id() -> String { self.element(["a", "b", "c", "d", "e"]) }

  /// The actions with which an app of animals begins.
  mutating func firstAnimals() -> [AnimalsAction] {
    let categories = ["x", "y"].map { AnimalsData.Category(categoryId: $0, name: $0) }
    let animals = ["a", "b", "c", "d"].map { self.animal($0) }
    return [
      .did(.didFetchCategories(result: .success(categories: categories))),
      .did(.didFetchAnimals(result: .success(animals: animals))),
    ]
  }

  /// The action with which an app of earthquakes begins.
  mutating func firstQuakes() -> QuakesAction {
    .local(.didFetchQuakes(result: .success(quakes: self.quakes())))
  }

  mutating func animal(_ id: String) -> Animal {
    Animal(
      animalId: id, name: self.element(["one", "two", "three"]),
      diet: self.element(Animal.Diet.allCases), categoryId: self.element(["x", "y"]))
  }

  mutating func animalsAction() -> AnimalsAction {
    let id = self.id()
    let animal = self.animal(id)
    return self.element([
      .ui(.animalList(.onAppear)),
      .ui(.animalList(.onTapDeleteSelectedAnimalButton(animalId: id))),
      .ui(.animalList(.onTapFavoriteButton(animalId: id, isFavorite: true))),
      .ui(.animalList(.onTapDismissFailureButton)),
      .ui(
        .animalEditor(
          .onTapUpdateAnimalButton(
            animalId: id, name: animal.name, diet: animal.diet, categoryId: animal.categoryId))),
      .did(.didFetchAnimals(result: .success(animals: [animal]))),
      .did(.didFetchAnimals(result: .failure(error: "now"))),
      .did(.didFetchCategories(result: .failure(error: "now"))),
      .did(.didAddAnimal(id: id, result: .success(animal: animal))),
      .did(.didUpdateAnimal(animalId: id, result: .success(animal: animal))),
      .did(.didUpdateAnimal(animalId: id, result: .failure(error: "now"))),
      .did(.didDeleteAnimal(animalId: id, result: .success(animal: animal))),
    ])
  }

  mutating func quakes() -> [Quake] {
    (0..<Int.random(in: 1...4, using: &self.generator)).map { _ in
      Quake(
        quakeId: self.id(), magnitude: self.element([-1, 0, 0.1, 3, 5]),
        time: .noon - TimeInterval(self.element([0, 60, 3_600, 90_000])),
        updated: .noon + TimeInterval(self.element([0, 1, 2])), name: self.element(["a", "b"]),
        longitude: 10, latitude: 20)
    }
  }

  mutating func quakesAction() -> QuakesAction {
    let (id, quakes) = (self.id(), self.quakes())
    return self.element([
      .ui(.quakeList(.onAppear)),
      .ui(.quakeList(.onTapRefreshQuakesButton(range: .allDay))),
      .ui(.quakeList(.onTapDeleteSelectedQuakeButton(quakeId: id))),
      .ui(.quakeList(.onTapDeleteAllQuakesButton)),
      .local(.didFetchQuakes(result: .success(quakes: quakes))),
      .local(.didFetchQuakes(result: .failure(error: "now"))),
      .data(.persistentSession(.remoteStore(.didFetchQuakes(result: .success(quakes: quakes))))),
      .data(.persistentSession(.remoteStore(.didFetchQuakes(result: .failure(error: "now"))))),
    ])
  }
}
