import AnimalsData
import ImmutableUI

// Sample states of the catalog.
extension PreviewStore<AnimalsState> {
  /// The sample data.
  static var sample: Self { .with([.dog, .cat, .kangaroo, .gibbon, .sparrow, .newt]) }

  /// No animals.
  static var empty: Self { .with([]) }

  /// Nothing has been read yet.
  static var waiting: Self {
    .after([.ui(.categoryList(.onAppear)), .ui(.animalList(.onAppear))])
  }

  /// Nothing could be read.
  static var failed: Self {
    .after([
      .data(.persistentSession(.didFetchCategories(result: .failure(error: Self.reason)))),
      .data(.persistentSession(.didFetchAnimals(result: .failure(error: Self.reason)))),
    ])
  }

  /// The dog is being saved.
  static var saving: Self {
    .sample.after(.ui(.animalDetail(.onTapFavoriteButton(animalId: "Dog", isFavorite: true))))
  }

  /// The dog got a star.
  static var starred: Self {
    .sample.after(
      .data(
        .persistentSession(
          .didMarkAnimal(animalId: "Dog", result: .success(animal: .dog.with(.favorite(true)))))))
  }

  /// The dog has a picture that no server has, so only its placeholder is visible.
  static var pictured: Self {
    let hash = String(repeating: "0", count: 64)
    let picture = Picture(hash: hash, kind: .jpeg, width: 1_600, height: 1_200)
    return .with([Animal.dog.with(.picture(picture)), .cat, .kangaroo, .gibbon])
  }

  /// The dog's star could not be saved.
  static var unmarked: Self {
    .saving.after(
      .data(
        .persistentSession(
          .didMarkAnimal(animalId: "Dog", result: .failure(error: Self.reason)))))
  }

  /// Another user has deleted the dog.
  static var withoutDog: Self { .with([.cat, .kangaroo]) }

  /// Another user has changed everything about the dog.
  static var changed: Self {
    .with([
      Animal(animalId: "Dog", name: "Wolf", diet: .omnivorous, categoryId: "Bird"), .cat,
    ])
  }

  /// Names of the maximum length, or nearly.
  static var longNames: Self {
    .with([
      .dog,
      Animal(
        animalId: "Long",
        name: "Great green-bellied northern short-tailed burrowing and tree-climbing otter",
        diet: .carnivorous,
        categoryId: "Mammal"
      ),
      Animal(
        animalId: "Word",
        name: String(repeating: "Kurzschwanz", count: 8),
        diet: .omnivorous,
        categoryId: "Mammal"
      ),
    ])
  }

  /// More animals than fit on a screen.
  static var many: Self {
    .with(
      (1...40).map { number in
        Animal(
          animalId: "\(number)",
          name: "Animal \(100 + number)",
          diet: .herbivorous,
          categoryId: "Mammal"
        )
      })
  }

  private static var reason: String { "The disk is full." }

  /// - Parameter animals: Animals in the categories of the sample data.
  private static func with(_ animals: [Animal]) -> Self {
    let categories: [Category] = [.amphibian, .bird, .fish, .invertebrate, .mammal, .reptile]
    return .after([
      .data(.persistentSession(.didFetchCategories(result: .success(categories: categories)))),
      .data(.persistentSession(.didFetchAnimals(result: .success(animals: animals)))),
    ])
  }

  private static func after(_ actions: [AnimalsAction]) -> Self {
    PreviewStore(AnimalsState(), after: actions, AnimalsReducer.reduce)
  }

  private func after(_ action: AnimalsAction) -> Self {
    self.after([action], AnimalsReducer.reduce)
  }
}

extension Surroundings {
  /// A pane of the catalog.
  static let pane = Self(
    "<div class=\"animals\"><section class=\"pane\" aria-label=\"Preview\"><div data-region=\"pane\">",
    "</div></section></div>"
  )
}
