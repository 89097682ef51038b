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
  /// What the animal that is edited was as its editor was opened.
  var seenAnimal: SeenAnimal?

  public init() {}

  public static let parameters: [Parameter<Self>] = [
    Parameter("category", \.selectedCategoryId),
    Parameter(ListPart.parameter, \.part),
    Parameter("animal", \.selectedAnimalId),
    Parameter("sheet", \.sheet),
    Parameter("was", \.seenAnimal, limit: SeenAnimal.byteLimit),
  ]
}

// What links change.
extension LocalChange<AnimalsLocal> {
  mutating func dismiss() {
    self.sheet.value = nil
    self.seenAnimal = nil
  }

  mutating func edit(_ animal: Animal) {
    self.sheet.value = .edit(animal.fingerprint)
    self.seenAnimal = SeenAnimal(animal)
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

extension AnimalsLocal {
  /// Whether any animal shows.
  var showsAnimals: Bool {
    if case .delete = self.sheet.value { return true }
    return self.selectedCategoryId != nil || self.selectedAnimalId != nil
  }

  /// Forgets what is no longer there.
  mutating func normalize(_ state: AnimalsState) {
    let has = { (animalId: Animal.ID?) in
      AnimalsState.selectAnimal(animalId: animalId)(state) != nil
    }
    if AnimalsState.selectCategoriesStatus()(state) == .success,
      AnimalsState.selectCategory(categoryId: self.selectedCategoryId)(state) == nil
    {
      self.selectedCategoryId = nil
    }
    if AnimalsState.selectAnimalsStatus()(state) == .success {
      if case .delete(let animalId) = self.sheet.value, has(animalId) == false {
        self.sheet.value = nil
      }
      if case .edit(let fingerprint) = self.sheet.value,
        fingerprint != nil || self.seenAnimal != nil
      {
        // An open editor keeps what its user has typed, even if its animal has gone.
      } else if has(self.selectedAnimalId) == false {
        self.selectedAnimalId = nil
      }
    }
    if case .edit = self.sheet.value, self.selectedAnimalId == nil {
      self.sheet.value = nil
    }
    self.rememberEdited(state)
    if self.selectedCategoryId == nil {
      self.part = .first
    }
  }

  /// An editor outlives its animal, and has to know then what that was. A link to an editor says it;
  /// so this is for addresses without.
  private mutating func rememberEdited(_ state: AnimalsState) {
    guard case .edit = self.sheet.value else {
      self.seenAnimal = nil
      return
    }
    if self.seenAnimal == nil,
      let animal = AnimalsState.selectAnimal(animalId: self.selectedAnimalId)(state)
    {
      self.seenAnimal = SeenAnimal(animal)
    }
  }
}
