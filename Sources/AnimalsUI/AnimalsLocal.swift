import AnimalsData
public import ImmutableUI

/// What one window of the catalogue has for itself: what is selected, and which sheet is open.
///
/// Source: the guide, chapter AnimalsUI (the `@State` and `@Binding` of its components).
public struct AnimalsLocal: LocalState {
  var selectedCategoryId: Category.ID?
  /// Which part of a long list of animals shows.
  var part = ListPart.Number.first
  var selectedAnimalId: Animal.ID?
  var sheet = Presented<Sheet>()
  /// What the animal that is edited was as its editor was opened. Should it be deleted meanwhile, the
  /// editor goes on showing this.
  var seenAnimal: Animal?

  public init() {}

  public static let parameters: [Parameter<Self>] = [
    Parameter("category", \.selectedCategoryId),
    Parameter(ListPart.parameter, \.part).when { $0.selectedCategoryId != nil },
    Parameter("animal", \.selectedAnimalId),
    Parameter("sheet", \.sheet).when { $0.isEditing == false || $0.selectedAnimalId != nil },
    // Names and categories of animals have at most 900 bytes, of which a hundred may be escaped.
    Parameter(.seen("was"), \.seenAnimal, limit: 1_200).when { $0.isEditing },
  ]

  var isEditing: Bool {
    if case .edit = self.sheet.value { true } else { false }
  }

  /// Whether any animal shows.
  var showsAnimals: Bool {
    if case .delete = self.sheet.value { return true }
    return self.selectedCategoryId != nil || self.selectedAnimalId != nil
  }
}

// What links change.
extension LocalChange<AnimalsLocal> {
  mutating func dismiss() {
    self.sheet.value = nil
    self.seenAnimal = nil
  }

  mutating func edit(_ animal: Animal) {
    self.sheet.value = .edit(animal.fingerprint)
    self.seenAnimal = animal.seen
  }

  mutating func select(category: Category?) {
    self.selectedCategoryId = category?.id
    self.part = .first
    self.select(animal: nil)
  }

  mutating func select(animal: Animal?) {
    self.selectedAnimalId = animal?.id
    self.dismiss()
  }
}
