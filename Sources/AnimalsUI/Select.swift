import AnimalsData
import HashTreeCollections
import ImmutableUI
import PlainText

// The selectors of the components.
//
// Source: the guide, chapter AnimalsUI, section Select.

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

/// Selects a category by its id, or that of an animal.
@propertyWrapper struct SelectCategory: Hashable, Sendable {
  @ImmutableUI.Selector<AnimalsState.Store, Category?> var wrappedValue: Category?

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

extension Animal {
  /// Groups animals by their category, for all lists of one.
  fileprivate static let byCategory = RowIndex<Animal, Category.ID>(by: \.categoryId)
}

/// Selects the animals of a list, sorted.
@propertyWrapper struct SelectAnimalsValues: ListSelector {
  @TableSelector<AnimalsState.Store, SortedRows<Animal>> var wrappedValue: SortedRows<Animal>

  init(_ local: AnimalsLocal) {
    let id = ID(listed: local.listed, search: local.search, order: local.order)
    self._wrappedValue = TableSelector(
      id: id,
      label: "SelectAnimalsValues(\"\(id.listed)\", \"\(id.search.text)\", \(id.order))",
      from: \.animalsTable,
      in: id.listed.categoryId.map { Animal.byCategory.groups([$0]) },
      into: local.rows
    )
  }

  private struct ID: Hashable, Sendable {
    let listed: CategoryList.RowID
    let search: SearchText
    let order: AnimalsOrder
  }
}

/// Selects the newest mark or deletion, if it failed.
@propertyWrapper struct SelectFailedChange: Hashable, Sendable {
  @ImmutableUI.Selector(
    label: "SelectFailedChange",
    outputSelector: { state in
      AnimalsState.selectFailure()(state).map { failure in
        let animal = AnimalsState.selectAnimal(animalId: failure.animalId)(state)
        return FailedChange(failure, of: animal?.name ?? "An animal")
      }
    }
  ) var wrappedValue: FailedChange?

  init() {}
}

/// Selects the status of the newest fetch of animals.
@propertyWrapper struct SelectAnimalsStatus: Hashable, Sendable {
  @ImmutableUI.Selector(
    label: "SelectAnimalsStatus",
    outputSelector: AnimalsState.selectAnimalsStatus()
  ) var wrappedValue: Status?

  init() {}
}

/// Selects an animal.
@propertyWrapper struct SelectAnimal: RowSelector {
  @TableSelector<AnimalsState.Store, SingleRow<Animal>> var wrappedValue: Animal?

  init(animalId: Animal.ID?) {
    self._wrappedValue = TableSelector(
      row: animalId,
      label: "SelectAnimal(animalId: \(animalId ?? "nil"))",
      from: \.animalsTable
    )
  }
}

/// Selects another animal that already has a name.
@propertyWrapper struct SelectNamesake: Hashable, Sendable {
  @ImmutableUI.Selector<AnimalsState.Store, Animal?> var wrappedValue: Animal?

  /// - Parameters:
  ///   - name: The name.
  ///   - animalId: The animal that is to get the name; `nil` for a new one.
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

/// Selects the status of the newest operation on an animal.
@propertyWrapper struct SelectAnimalStatus: Hashable, Sendable {
  @ImmutableUI.Selector<AnimalsState.Store, Status?> var wrappedValue: Status?

  init(animalId: Animal.ID?) {
    self._wrappedValue = ImmutableUI.Selector(
      id: animalId,
      label: "SelectAnimalStatus(animalId: \(animalId ?? "nil"))",
      outputSelector: AnimalsState.selectAnimalStatus(animalId: animalId)
    )
  }
}

/// A failed change of an animal, as users read it.
struct FailedChange: Hashable, Sendable {
  let animalId: Animal.ID
  let sentence: String

  init(_ failure: ChangeFailure, of name: String) {
    self.animalId = failure.animalId
    self.sentence =
      "\(name.isolated) could not be \(failure.isDeletion ? "deleted" : "saved"): \(failure.error)"
  }
}
