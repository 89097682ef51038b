import AnimalsData
public import ImmutableUI

/// What one window of the catalogue has for itself: what is selected, and which sheet is open.
///
/// Source: the guide, chapter AnimalsUI (the `@State` and `@Binding` of its components).
public struct AnimalsLocal: LocalState {
  /// A sheet that lies over the catalogue.
  enum Sheet: String, Sendable {
    case addAnimal = "add"
    case editAnimal = "edit"
    case reloadSampleData = "reload"
  }

  var selectedCategoryId: Category.ID?
  var selectedAnimalId: Animal.ID?
  var sheet: Sheet?
  /// The animal that the user is asked about before it is deleted.
  var deletedAnimalId: Animal.ID?
  /// The operation that the open sheet waits for, as the store's queue names it.
  var savedId: Animal.ID?
  /// What the animal was as its editor was opened (``Animal/fingerprint``).
  var editedFingerprint: String?

  public init() {}

  public static let parameters: [Parameter<Self>] = [
    Parameter("category", \.selectedCategoryId),
    Parameter("animal", \.selectedAnimalId),
    Parameter("sheet", \.sheet),
    Parameter("delete", \.deletedAnimalId),
    Parameter("saving", \.savedId),
    Parameter("edited", \.editedFingerprint),
  ]
}

// Changes of it, for links.
extension AnimalsLocal {
  /// No sheet is open.
  static var dismissed: [QueryItem] {
    ["sheet", "delete", "saving", "edited"].map { QueryItem(name: $0, value: "") }
  }

  static func selecting(category: Category) -> [QueryItem] {
    Self.dismissed + [
      QueryItem(name: "category", value: category.id), QueryItem(name: "animal", value: ""),
    ]
  }

  static func selecting(animal: Animal) -> [QueryItem] {
    Self.dismissed + [QueryItem(name: "animal", value: animal.id)]
  }

  static func presenting(_ sheet: Sheet) -> [QueryItem] {
    [QueryItem(name: "sheet", value: sheet.rawValue)]
  }

  static func editing(_ animal: Animal) -> [QueryItem] {
    Self.presenting(.editAnimal) + [QueryItem(name: "edited", value: animal.fingerprint)]
  }

  static func deleting(_ animal: Animal) -> [QueryItem] {
    [QueryItem(name: "delete", value: animal.id)]
  }
}

extension AnimalsLocal {
  /// After an action of this window: a sheet stays until what it asked for is done.
  mutating func reduce(_ action: AnimalsAction) {
    switch action {
    case .ui(.categoryList(.onTapReloadSampleDataButton)):
      // How it goes shows in the list.
      self.sheet = nil
    case .ui(.categoryList(.onAppear)), .ui(.categoryList(.onTapRefreshButton)),
      .ui(.animalList(.onAppear)):
      break
    case .ui(.animalList(.onTapDeleteSelectedAnimalButton(let animalId))),
      .ui(.animalDetail(.onTapDeleteSelectedAnimalButton(let animalId))):
      self.savedId = animalId
    case .ui(.animalEditor(.onTapAddAnimalButton(let id, name: _, diet: _, categoryId: _))):
      self.savedId = id
    case .ui(
      .animalEditor(.onTapUpdateAnimalButton(let animalId, name: _, diet: _, categoryId: _))
    ):
      self.savedId = animalId
    case .data:
      break
    }
  }

  /// Forgets what is no longer there, and closes a sheet whose operation has succeeded.
  mutating func normalize(_ state: AnimalsState) {
    if let savedId = self.savedId {
      switch AnimalsState.selectAnimalStatus(animalId: savedId)(state) {
      case .success: self.dismiss()
      // Nobody knows any more, for example after a restart: what is shown says how it went.
      case nil: self.savedId = nil
      case .empty, .waiting, .failure: break
      }
    }
    if AnimalsState.selectCategoriesStatus()(state) == .success,
      AnimalsState.selectCategory(categoryId: self.selectedCategoryId)(state) == nil
    {
      self.selectedCategoryId = nil
    }
    if AnimalsState.selectAnimalsStatus()(state) == .success {
      // An open editor keeps what its user has typed.
      if AnimalsState.selectAnimal(animalId: self.selectedAnimalId)(state) == nil,
        self.sheet != .editAnimal
      {
        self.selectedAnimalId = nil
      }
      if AnimalsState.selectAnimal(animalId: self.deletedAnimalId)(state) == nil {
        self.deletedAnimalId = nil
      }
    }
    if self.sheet == .editAnimal, self.selectedAnimalId == nil {
      self.sheet = nil
    }
    if self.sheet == nil, self.deletedAnimalId == nil {
      self.dismiss()
    }
  }

  private mutating func dismiss() {
    self.sheet = nil
    self.deletedAnimalId = nil
    self.savedId = nil
    self.editedFingerprint = nil
  }
}

extension Animal {
  /// Tells values of an animal apart, in the URL of an open editor.
  ///
  /// Source: FNV-1a, 64 bits (draft-eastlake-fnv), in base 36.
  var fingerprint: String {
    let text = [self.name, self.diet.rawValue, self.categoryId].joined(separator: "\0")
    let hash = text.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { hash, byte in
      (hash ^ UInt64(byte)) &* 0x100_0000_01b3
    }
    return String(hash, radix: 36)
  }
}
