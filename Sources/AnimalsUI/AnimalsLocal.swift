import AnimalsData
public import ImmutableUI

/// What one window of the catalogue has for itself: what is listed and selected, and which sheet is open.
///
/// Source: the guide, chapter AnimalsUI (the `@State` and `@Binding` of its components).
public struct AnimalsLocal: LocalState {
  /// Whether all animals are listed, or those that are searched for, and not those of a category.
  var showsAll = false
  /// Whether the animals that have a star are listed.
  var showsFavorites = false
  var searchText = ""
  var selectedCategoryId: Category.ID?
  var order = AnimalsOrder.name
  /// With which animal the part of a long list begins that shows; `nil` for the first part.
  var start: ListPart.Start<Animal.ID>?
  var selectedAnimalId: Animal.ID?
  var sheet = Presented<Sheet>()
  /// What the animal that is edited was as its editor was opened. Should it be deleted meanwhile, the
  /// editor goes on showing this.
  var seenAnimal: Animal?
  /// The name that has been typed into an editor, which is not saved yet.
  var typedName: String?

  public init() {}

  public static let parameters: [Parameter<Self>] = [
    Parameter("all", \.showsAll),
    Parameter(Self.searchField, \.searchText, limit: 4 * AnimalSearch.characterLimit)
      .personal().when { $0.showsAll },
    Parameter("favorites", \.showsFavorites).when { $0.showsAll == false },
    Parameter("category", \.selectedCategoryId)
      .when { $0.showsAll == false && $0.showsFavorites == false },
    Parameter("order", \.order).when { $0.listing != nil },
    Parameter("from", \.start).when { $0.listing != nil },
    Parameter("animal", \.selectedAnimalId),
    Parameter("sheet", \.sheet).when { $0.isEditing == false || $0.selectedAnimalId != nil },
    // Names and categories of animals have at most 900 bytes, of which a hundred may be escaped.
    Parameter(.seen("was"), \.seenAnimal, limit: 1_200).personal()
      .when { $0.isEditing },
    Parameter(Field.text("typed"), \.typedName, limit: 4 * Animal.nameLimit).personal()
      .when { $0.isEditing || $0.sheet.value == .add },
  ]

  static let searchField = Field.text("search", .search, limit: AnimalSearch.characterLimit)

  var isEditing: Bool {
    if case .edit = self.sheet.value { true } else { false }
  }

  /// Which animals the list shows; `nil`: none.
  var listing: AnimalList.Listing? {
    if self.showsAll { return .found(AnimalSearch(self.searchText)) }
    if self.showsFavorites { return .favorites }
    return self.selectedCategoryId.map { .category($0) }
  }

  /// The selected row of the list of categories.
  var selectedRow: CategoryList.RowID? {
    get {
      if self.showsAll { return .all }
      return self.showsFavorites ? .favorites : self.selectedCategoryId.map { .category($0) }
    }
    set {
      self.showsAll = newValue == .all
      self.showsFavorites = newValue == .favorites
      self.selectedCategoryId = if case .category(let id) = newValue { id } else { nil }
    }
  }

  /// Selects what was added, and lists it if the list shows another category.
  mutating func didAdd(_ animal: Animal) {
    self.selectedAnimalId = animal.id
    guard self.showsAll == false, self.selectedCategoryId != animal.categoryId else { return }
    self.showsFavorites = false
    self.selectedCategoryId = animal.categoryId
    self.start = nil
  }
}

// What links change.
extension LocalChange<AnimalsLocal> {
  mutating func dismiss() {
    self.sheet.value = nil
    self.seenAnimal = nil
    self.typedName = nil
  }

  mutating func edit(_ animal: Animal) {
    self.sheet.value = .edit(animal.fingerprint)
    self.seenAnimal = animal.seen
  }

  /// Lists the animals of a category, or all.
  mutating func list(_ row: CategoryList.RowID?) {
    self.searchText = ""
    self.find(row)
    self.select(animal: nil)
  }

  mutating func sort(by order: AnimalsOrder) {
    self.order = order
    self.start = nil
  }

  /// Lists what a search finds, of all animals.
  mutating func find() {
    self.find(.all)
  }

  private mutating func find(_ row: CategoryList.RowID?) {
    self.showsAll = row == .all
    self.showsFavorites = row == .favorites
    self.selectedCategoryId = if case .category(let id) = row { id } else { nil }
    self.start = nil
  }

  mutating func select(animal: Animal?) {
    self.selectedAnimalId = animal?.id
    self.dismiss()
  }
}
