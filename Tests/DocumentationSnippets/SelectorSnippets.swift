import AnimalsData
import ImmutableData
import ImmutableUI

// docs/INCREMENTAL.md.

enum TableSnippets {
  struct AnimalsState: StoreState {
    typealias Action = AnimalsAction

    var animals = Table<Animal>()
  }

  static func insert(_ animal: Animal, _ animals: [Animal], into state: inout AnimalsState) {
    state.animals[animal.id] = animal  // in a reducer
    state.animals.insert(animals)  // several, such as those of a file
  }

  @propertyWrapper struct SelectMammals: Hashable {
    @TableSelector<AnimalsState.Store, SortedRows<Animal>>(
      from: \.animals,
      into: SortedRows(by: RowOrder(\.name)) { $0.categoryId == "Mammal" }
    ) var wrappedValue: SortedRows<Animal>

    init() {}
  }

  @propertyWrapper struct SelectAnimals: Hashable {
    @TableSelector<AnimalsState.Store, SortedRows<Animal>> var wrappedValue: SortedRows<Animal>

    init(categoryId: Category.ID) {
      self._wrappedValue = TableSelector(
        id: categoryId,
        from: \.animals,
        in: Animal.byCategory.groups([categoryId]),
        into: SortedRows(by: RowOrder(\.name)) { $0.categoryId == categoryId }
      )
    }
  }

  @propertyWrapper struct SelectAnimal: Hashable {
    @TableSelector<AnimalsState.Store, SingleRow<Animal>> var wrappedValue: Animal?

    init(animalId: Animal.ID?) {
      self._wrappedValue = TableSelector(row: animalId, from: \.animals)
    }
  }
}

extension Animal {
  static let byCategory = RowIndex<Animal, Category.ID>(by: \.categoryId)
}
