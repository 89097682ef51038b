import AnimalsData
import Foundation
import HashTreeCollections
public import ImmutableUI
import PlainText

/// The local state of one window of the catalog: what it lists and selects, and the open sheet.
///
/// Source: the guide, chapter AnimalsUI (the `@State` and `@Binding` of its components).
public struct AnimalsLocal: LocalState {
  /// Whether all animals are listed, or those that a search finds, instead of those of a category.
  var showsAll = false
  /// Whether the animals with a star are listed.
  var showsFavorites = false
  var searchText = ""
  var selectedCategoryId: Category.ID?
  var order = AnimalsOrder.name
  /// The first animal of the visible part of a long list; `nil` for the first part.
  var start: ListPart.Start<Animal.ID>?
  var selectedAnimalId: Animal.ID?
  var sheet = Presented<Sheet>()
  /// The edited animal as it was when the editor was opened. If it is deleted meanwhile, the editor
  /// keeps showing this.
  var seenAnimal: Animal?
  /// The unsaved name that was typed into an editor.
  var typedName: String?

  /// A sheet over the catalog.
  enum Sheet: String, Sendable {
    case add
    /// The editor of the selected animal.
    case edit
    /// The picture of the selected animal.
    case picture
    case reload
  }

  public init() {}

  public static let parameters: [Parameter<Self>] = [
    Parameter("all", \.showsAll),
    Parameter(Self.searchField, \.searchText)
      .personal().when { $0.showsAll },
    Parameter("favorites", \.showsFavorites).when { $0.showsAll == false },
    Parameter("category", \.selectedCategoryId)
      .when { $0.showsAll == false && $0.showsFavorites == false },
    Parameter("order", \.order),
    Parameter("from", \.start).reset(
      by: \.showsAll, \.searchText, \.showsFavorites, \.selectedCategoryId, \.order),
    Parameter("animal", \.selectedAnimalId),
    Parameter("sheet", \.sheet).when { $0.isEditing == false || $0.selectedAnimalId != nil },
    // Escaped, names of animals have at most 800 bytes, and ids of categories 300.
    Parameter(Field.text("was").seenAnimal(), \.seenAnimal, limit: 1_200)
      .personal { local, pseudonym in local.seenAnimal = local.seenAnimal?.redacted(pseudonym) }
      .when { $0.isEditing },
    Parameter(Field.text("typed"), \.typedName, limit: 4 * Animal.nameLimit).personal()
      .when { $0.isEditing || $0.sheet.value == .add },
  ]

  static let searchField = Field.text("search", .search, limit: SearchText.characterLimit)

  /// The search in all animals. White space around the text is ignored, because names have none.
  var search: SearchText {
    guard self.listed == .all else { return SearchText() }
    return SearchText(self.searchText.trimmingCharacters(in: .whitespacesAndNewlines))
  }

  var isEditing: Bool { self.sheet.value == .edit }

  /// Whether the user has chosen a list. A narrow screen shows the categories until then.
  var hasChosen: Bool {
    self.showsAll || self.showsFavorites || self.selectedCategoryId != nil
  }

  /// What is listed: all animals, until the user chooses something.
  var listed: CategoryList.RowID {
    if self.showsAll { return .all }
    if self.showsFavorites { return .favorites }
    return self.selectedCategoryId.map(CategoryList.RowID.category) ?? .all
  }

  /// The list, still without its rows.
  var rows: SortedRows<Animal> {
    switch self.listed {
    case .category(let categoryId): .animals(of: categoryId, by: self.order)
    case .favorites: .favoriteAnimals(by: self.order)
    case .all: .animals(found: self.search, by: self.order)
    }
  }

  /// The selected row of the list of categories.
  var selectedRow: CategoryList.RowID? {
    get { self.listed }
    set {
      // All is also what is listed before anything is chosen.
      guard newValue != self.listed else { return }
      self.showsAll = newValue == .all
      self.showsFavorites = newValue == .favorites
      self.selectedCategoryId = newValue?.categoryId
    }
  }

  /// Selects an added animal, and lists it: without a search that does not find it, in its
  /// category, and in the part of a long list that has its row.
  ///
  /// - Complexity: O(n log n), n animals. It happens once for each animal that the window adds.
  mutating func didAdd(_ animal: Animal, in state: AnimalsState) {
    self.selectedAnimalId = animal.id
    if self.listed == .all {
      if self.search.finds(animal.name) == false { self.searchText = "" }
    } else if self.selectedCategoryId != animal.categoryId {
      self.showsFavorites = false
      self.selectedCategoryId = animal.categoryId
      self.start = nil
    }
    var rows = self.rows
    rows.insert(all: state.animalsTable.rows.values)
    let first = AnimalsState.selectAnimal(animalId: self.start?.id)(state)
    self.start = ListPart.start(showing: animal, of: rows, from: self.start, at: first)
  }
}

// Changes by links.
extension LocalChange<AnimalsLocal> {
  mutating func dismiss() {
    self.sheet.value = nil
    self.seenAnimal = nil
    self.typedName = nil
  }

  mutating func edit(_ animal: Animal) {
    self.sheet.value = .edit
    self.seenAnimal = animal.seen
  }

  /// Lists the animals of a category, or all.
  mutating func list(_ row: CategoryList.RowID?) {
    self.searchText = ""
    self.find(row)
    self.select(animal: nil)
  }

  /// Lists the animals of a category, or those of all that the search finds.
  mutating func find(_ row: CategoryList.RowID?) {
    self.showsAll = row == .all
    self.showsFavorites = row == .favorites
    self.selectedCategoryId = row?.categoryId
  }

  mutating func select(animal: Animal?) {
    self.selectedAnimalId = animal?.id
    self.dismiss()
  }
}
