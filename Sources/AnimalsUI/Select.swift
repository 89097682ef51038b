import AnimalsData
import HashTreeCollections
import ImmutableData
import ImmutableUI

// What components read.
//
// Source: the guide, chapter AnimalsUI, section Select.

typealias Store = ImmutableData.Store<AnimalsState, AnimalsAction>

/// Selects all categories, sorted by name.
@propertyWrapper struct SelectCategoriesValues: Hashable, Sendable {
  @ImmutableUI.Selector(
    label: "SelectCategoriesValues",
    filter: AnimalsFilter.filterCategories(),
    dependencySelector: AnimalsState.selectCategories(),
    outputSelector: AnimalsState.selectCategoriesValues(sort: \Category.name)
  ) var wrappedValue: [Category]

  init() {}
}

/// Selects how the newest fetch of categories stands.
@propertyWrapper struct SelectCategoriesStatus: Hashable, Sendable {
  @ImmutableUI.Selector(
    label: "SelectCategoriesStatus",
    outputSelector: AnimalsState.selectCategoriesStatus()
  ) var wrappedValue: Status?

  init() {}
}

/// Selects a category by its id, or that of an animal.
@propertyWrapper struct SelectCategory: Hashable, Sendable {
  @ImmutableUI.Selector<Store, Category?> var wrappedValue: Category?

  init(categoryId: Category.ID?) {
    self._wrappedValue = ImmutableUI.Selector(
      id: categoryId,
      label: "SelectCategory(categoryId: \(categoryId ?? "nil"))",
      outputSelector: AnimalsState.selectCategory(categoryId: categoryId)
    )
  }

  init(animalId: Animal.ID?) {
    self._wrappedValue = ImmutableUI.Selector(
      id: animalId,
      label: "SelectCategory(animalId: \(animalId ?? "nil"))",
      outputSelector: AnimalsState.selectCategory(animalId: animalId)
    )
  }
}

/// Selects the animals of a list, sorted.
@propertyWrapper struct SelectAnimalsValues: ListSelector {
  @TableSelector<Store, SortedRows<Animal>> var wrappedValue: SortedRows<Animal>

  init(_ local: AnimalsLocal) {
    let (listing, order) = (local.listing, local.order)
    let animals: SortedRows<Animal> =
      switch listing {
      case nil: .animals(of: nil)
      case .category(let categoryId): .animals(of: categoryId, by: order)
      case .favorites: .favoriteAnimals(by: order)
      case .found(let search): .animals(found: search, by: order)
      }
    self._wrappedValue = TableSelector(
      id: ID(listing: listing, order: order),
      label: "SelectAnimalsValues(\(listing.map { "\($0)" } ?? "nil"), \(order))",
      from: \.animalsTable,
      into: animals
    )
  }

  private struct ID: Hashable, Sendable {
    let listing: AnimalList.Listing?
    let order: AnimalsOrder
  }
}

/// Selects how many animals each category has.
@propertyWrapper struct SelectAnimalsCounts: Hashable, Sendable {
  @TableSelector<Store, AnimalsCounts>(
    label: "SelectAnimalsCounts",
    from: \.animalsTable,
    into: AnimalsCounts()
  ) var wrappedValue: [Category.ID: Int]

  init() {}
}

/// Selects how many animals have a star.
@propertyWrapper struct SelectFavoritesCount: Hashable, Sendable {
  @TableSelector<Store, FavoritesCount>(
    label: "SelectFavoritesCount",
    from: \.animalsTable,
    into: FavoritesCount()
  ) var wrappedValue: Int

  init() {}
}

/// Selects why the newest mark could not be put on its animal.
@propertyWrapper struct SelectMarkError: Hashable, Sendable {
  @ImmutableUI.Selector(
    label: "SelectMarkError",
    outputSelector: AnimalsState.selectMarkError()
  ) var wrappedValue: String?

  init() {}
}

/// Selects why pictures cannot be kept.
@propertyWrapper struct SelectNoPictures: Hashable, Sendable {
  @ImmutableUI.Selector(
    label: "SelectNoPictures",
    outputSelector: AnimalsState.selectNoPictures()
  ) var wrappedValue: String?

  init() {}
}

/// Selects how many animals there are in all.
@propertyWrapper struct SelectAnimalsCount: Hashable, Sendable {
  @ImmutableUI.Selector(
    label: "SelectAnimalsCount",
    outputSelector: AnimalsState.selectAnimalsCount()
  ) var wrappedValue: Int

  init() {}
}

/// Selects how the newest fetch of animals stands.
@propertyWrapper struct SelectAnimalsStatus: Hashable, Sendable {
  @ImmutableUI.Selector(
    label: "SelectAnimalsStatus",
    outputSelector: AnimalsState.selectAnimalsStatus()
  ) var wrappedValue: Status?

  init() {}
}

/// Selects an animal.
@propertyWrapper struct SelectAnimal: RowSelector {
  @ImmutableUI.Selector<Store, Animal?> var wrappedValue: Animal?

  init(animalId: Animal.ID?) {
    self._wrappedValue = ImmutableUI.Selector(
      id: animalId,
      label: "SelectAnimal(animalId: \(animalId ?? "nil"))",
      outputSelector: AnimalsState.selectAnimal(animalId: animalId)
    )
  }
}

/// Selects another animal that has a name already.
@propertyWrapper struct SelectNamesake: Hashable, Sendable {
  @ImmutableUI.Selector<Store, Animal?> var wrappedValue: Animal?

  /// - Parameters:
  ///   - name: The name.
  ///   - animalId: Of the animal that gets it; `nil`: a new one.
  init(name: String, except animalId: Animal.ID?) {
    self._wrappedValue = ImmutableUI.Selector(
      id: ID(name: name, animalId: animalId),
      label: "SelectNamesake(name: \"\(name)\", except: \(animalId ?? "nil"))",
      outputSelector: AnimalsState.selectNamesake(of: name, except: animalId)
    )
  }

  private struct ID: Hashable, Sendable {
    let name: String
    let animalId: Animal.ID?
  }
}

/// Selects how the newest operation on an animal stands.
@propertyWrapper struct SelectAnimalStatus: Hashable, Sendable {
  @ImmutableUI.Selector<Store, Status?> var wrappedValue: Status?

  init(animalId: Animal.ID?) {
    self._wrappedValue = ImmutableUI.Selector(
      id: animalId,
      label: "SelectAnimalStatus(animalId: \(animalId ?? "nil"))",
      outputSelector: AnimalsState.selectAnimalStatus(animalId: animalId)
    )
  }
}

/// Selects whether anything is under way.
@propertyWrapper struct SelectIsWaiting: Hashable, Sendable {
  @ImmutableUI.Selector(
    label: "SelectIsWaiting",
    outputSelector: AnimalsState.selectIsWaiting()
  ) var wrappedValue: Bool

  init() {}
}

/// Selects the animals that are being saved or deleted.
@propertyWrapper struct SelectWaitingAnimals: Hashable, Sendable {
  @ImmutableUI.Selector(
    label: "SelectWaitingAnimals",
    outputSelector: AnimalsState.selectWaitingAnimals()
  ) var wrappedValue: Set<Animal.ID>

  init() {}
}

extension AnimalsState {
  /// The ids of the animals that are being saved or deleted.
  ///
  /// - Complexity: O(n), n operations that are remembered; see ``selectIsWaiting()``.
  fileprivate static func selectWaitingAnimals() -> @Sendable (Self) -> Set<Animal.ID> {
    { state in Set(state.animals.queue.lazy.filter { $0.value == .waiting }.map(\.key)) }
  }
}
