// Without access to what is internal.
import AnimalsData
import Foundation
import ImmutableData
import ImmutableUI
import Observation
import Testing

/// The guide's selectors of Animals, as far as they do not need SwiftUI.
@MainActor @Suite(.timeLimit(.minutes(20))) struct GuideListingsTests {
  private let store = ImmutableData.Store(
    initialState: AnimalsState(),
    reducer: AnimalsReducer.reduce
  )

  /// With equality, as the guide's `Select.swift` has it for each product.
  private func listener<each Dependency, Output>(
    label: String? = nil,
    filter isIncluded: (@Sendable (AnimalsState, AnimalsAction) -> Bool)? = nil,
    dependencySelector: repeat @escaping @Sendable (AnimalsState) -> each Dependency,
    outputSelector: @escaping @Sendable (AnimalsState) -> Output
  ) -> ImmutableUI.Listener<AnimalsState, AnimalsAction, repeat each Dependency, Output>
  where repeat each Dependency: Equatable & Sendable, Output: Equatable & Sendable {
    ImmutableUI.Listener(
      label: label,
      filter: isIncluded,
      dependencySelector: repeat DependencySelector(select: each dependencySelector),
      outputSelector: OutputSelector(select: outputSelector)
    )
  }

  @Test func `the selectors of the lists follow what a preview dispatches`() async throws {
    let categories = self.listener(
      label: "SelectCategoriesValues",
      filter: AnimalsFilter.filterCategories(),
      dependencySelector: AnimalsState.selectCategories(),
      outputSelector: AnimalsState.selectCategoriesValues(sort: \AnimalsData.Category.name)
    )
    let animals = self.listener(
      label: "SelectAnimalsValues(categoryId: Mammal)",
      filter: AnimalsFilter.filterAnimals(categoryId: "Mammal"),
      dependencySelector: AnimalsState.selectAnimals(categoryId: "Mammal"),
      outputSelector: AnimalsState.selectAnimalsValues(
        categoryId: "Mammal",
        sort: \Animal.name
      )
    )
    categories.listen(to: self.store)
    animals.listen(to: self.store)
    #expect(categories.output == [])
    #expect(animals.output == [])
    let (changes, change) = AsyncStream.makeStream(of: Void.self)
    withObservationTracking {
      _ = categories.output
    } onChange: {
      change.yield()
    }
    withObservationTracking {
      _ = animals.output
    } onChange: {
      change.yield()
    }

    try self.store.dispatch(
      action: .data(
        .persistentSession(
          .didFetchCategories(result: .success(categories: [.mammal, .amphibian, .bird])))))
    try self.store.dispatch(
      action: .data(
        .persistentSession(
          .didFetchAnimals(result: .success(animals: [.dog, .newt, .kangaroo, .cat])))))
    var count = 0
    for await _ in changes {
      count += 1
      if count == 2 { break }
    }

    #expect(categories.output == [.amphibian, .bird, .mammal])
    #expect(animals.output == [.cat, .dog, .kangaroo])
  }

  @Test func `the other selectors of the guide have their types`() {
    let categoriesStatus: ImmutableUI.Listener<AnimalsState, AnimalsAction, Status?> =
      self.listener(
        label: "SelectCategoriesStatus",
        outputSelector: AnimalsState.selectCategoriesStatus()
      )
    let category: ImmutableUI.Listener<AnimalsState, AnimalsAction, AnimalsData.Category?> =
      self.listener(outputSelector: AnimalsState.selectCategory(animalId: "Dog"))
    let animal: ImmutableUI.Listener<AnimalsState, AnimalsAction, Animal?> =
      self.listener(outputSelector: AnimalsState.selectAnimal(animalId: nil))
    let animalStatus: ImmutableUI.Listener<AnimalsState, AnimalsAction, Status?> =
      self.listener(outputSelector: AnimalsState.selectAnimalStatus(animalId: "Dog"))

    categoriesStatus.listen(to: self.store)
    category.listen(to: self.store)
    animal.listen(to: self.store)
    animalStatus.listen(to: self.store)

    #expect(categoriesStatus.output == nil)
    #expect(category.output == nil)
    #expect(animal.output == nil)
    #expect(animalStatus.output == nil)
  }
}
