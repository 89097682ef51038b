import AnimalsData
import ImmutableData
import ImmutableUI

// docs/INCREMENTAL.md.

enum TableSnippets {
  struct AnimalsState {
    var animals = Table<Animal>()
  }

  typealias Store = ImmutableData.Store<AnimalsState, AnimalsAction>

  static func insert(_ animal: Animal, into state: inout AnimalsState) {
    state.animals[animal.id] = animal  // in a reducer
  }

  @propertyWrapper struct SelectMammals: Hashable {
    @TableSelector<Store, SortedRows<Animal>>(
      from: \.animals,
      into: SortedRows(by: RowOrder(\.name)) { $0.categoryId == "Mammal" }
    ) var wrappedValue: SortedRows<Animal>

    init() {}
  }
}
