import AnimalsData
public import ImmutableUI

/// What one window of the catalogue has for itself: what is selected, and which sheet is open.
///
/// Source: the guide, chapter AnimalsUI (the `@State` and `@Binding` of its components).
public struct AnimalsLocal: LocalState {
  var selectedCategoryId: Category.ID?
  var selectedAnimalId: Animal.ID?
  var sheet: Sheet?

  public init() {}

  public static let parameters: [Parameter<Self>] = [
    Parameter("category", \.selectedCategoryId),
    Parameter("animal", \.selectedAnimalId),
    Parameter("sheet", \.sheet),
  ]
}

// Changes of it, for links.
extension AnimalsLocal {
  static var dismissed: [QueryItem] {
    [QueryItem(name: "sheet", value: "")]
  }

  static func presenting(_ sheet: Sheet) -> [QueryItem] {
    [QueryItem(name: "sheet", value: sheet.description)]
  }

  static func selecting(category: Category?) -> [QueryItem] {
    [QueryItem(name: "category", value: category?.id ?? "")] + Self.selecting(animal: nil)
  }

  static func selecting(animal: Animal?) -> [QueryItem] {
    [QueryItem(name: "animal", value: animal?.id ?? "")] + Self.dismissed
  }
}

extension AnimalsLocal {
  /// What the open sheet waits for, as the store's queue names it.
  var savedId: Animal.ID? {
    switch self.sheet {
    case .add(let savedId): savedId
    case .edit(_, isSaving: true): self.selectedAnimalId
    case .delete(let animalId, isDeleting: true): animalId
    case .edit, .delete, .reload, nil: nil
    }
  }

  /// Whether any animal shows.
  var showsAnimals: Bool {
    if case .delete = self.sheet { return true }
    return self.selectedCategoryId != nil || self.selectedAnimalId != nil
  }

  /// After an action of this window: a sheet stays until what it asked for is done.
  mutating func reduce(_ action: AnimalsAction) {
    switch (action, self.sheet) {
    case (.ui(.categoryList(.onTapReloadSampleDataButton)), _):
      // How it goes shows in the lists.
      self.sheet = nil
    case (.ui(.animalList(.onTapDeleteSelectedAnimalButton(let animalId))), _),
      (.ui(.animalDetail(.onTapDeleteSelectedAnimalButton(let animalId))), _):
      self.sheet = .delete(animalId, isDeleting: true)
    case (.ui(.animalEditor(.onTapAddAnimalButton(let id, name: _, diet: _, categoryId: _))), _):
      self.sheet = .add(savedId: id)
    case (.ui(.animalEditor(.onTapUpdateAnimalButton)), .edit(let fingerprint, isSaving: _)):
      self.sheet = .edit(fingerprint, isSaving: true)
    case (.ui, _), (.data, _):
      break
    }
  }

  /// Forgets what is no longer there, and closes a sheet whose operation has succeeded.
  mutating func normalize(_ state: AnimalsState) {
    let has = { (animalId: Animal.ID?) in
      AnimalsState.selectAnimal(animalId: animalId)(state) != nil
    }
    switch AnimalsState.selectAnimalStatus(animalId: self.savedId)(state) {
    case .success: self.sheet = nil
    // Nobody knows any more, for example after a restart: what is shown says how it went.
    case nil: self.sheet = self.sheet?.idle
    case .empty, .waiting, .failure: break
    }
    if AnimalsState.selectCategoriesStatus()(state) == .success,
      AnimalsState.selectCategory(categoryId: self.selectedCategoryId)(state) == nil
    {
      self.selectedCategoryId = nil
    }
    if AnimalsState.selectAnimalsStatus()(state) == .success {
      if case .delete(let animalId, isDeleting: _) = self.sheet, has(animalId) == false {
        self.sheet = nil
      }
      if case .edit(_?, isSaving: _) = self.sheet {
        // An open editor keeps what its user has typed, even if its animal has gone.
      } else if has(self.selectedAnimalId) == false {
        self.selectedAnimalId = nil
      }
    }
    if case .edit = self.sheet, self.selectedAnimalId == nil {
      self.sheet = nil
    }
  }
}
