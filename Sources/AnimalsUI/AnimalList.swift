import AnimalsData
import HashTreeCollections
import ImmutableUI
import PlainText

/// The animals of the selected category, those with a star, or those that a search finds.
///
/// Source: the guide, chapter AnimalsUI, section AnimalList.
struct AnimalList: Presenter, Hashable {
  @SelectAnimalsValues private var animals: SortedRows<Animal>
  @SelectCategory private var category: Category?
  @SelectCategoriesValues private var categories
  @ImmutableUI.Selector(outputSelector: AnimalsState.selectAnimalsCount()) private var total
  @SelectAnimalsStatus private var status
  @SelectFailedChange private var failedChange: FailedChange?
  @SelectAnimal private var firstRow: Animal?
  @ImmutableUI.Selector(outputSelector: AnimalsState.selectWaitingAnimals()) private var waiting
  private let start: ListPart.Start<Animal.ID>?
  private let listed: CategoryList.RowID
  private let search: SearchText
  private let order: AnimalsOrder
  /// The search text as it was entered.
  private let searchText: String

  init(_ local: AnimalsLocal) {
    self._animals = SelectAnimalsValues(local)
    self._category = SelectCategory(categoryId: local.selectedCategoryId)
    self.listed = local.listed
    self.search = local.search
    self.order = local.order
    self.searchText = local.searchText
    self.start = local.start
    self._firstRow = SelectAnimal(animalId: local.start?.id)
  }

  private var part: ListPart { ListPart(of: self.animals, from: self.start, at: self.firstRow) }

  private var rows: ListRows<Animal, Row> {
    let list = Row.List(
      // A list of all animals shows the category of each.
      kinds: self.isOfAll
        ? Dictionary(self.categories.map { ($0.id, $0.name) }) { first, _ in first } : [:],
      search: self.search,
      isMovable: self.order == .own
    )
    return ListRows(
      self.part,
      of: self.animals,
      marked: self.waiting,
      reach: list.isMovable ? Row.reach : 0,
      capturing: list
    ) { row in
      Row(row, in: list)
    }
  }

  private var isOfAll: Bool { self.listed.categoryId == nil }

  private var isOfFavorites: Bool { self.listed == .favorites }

  private var isSearch: Bool { self.search.isEmpty == false }

  /// The categories that the search may be for. It finds only names of animals.
  private var foundCategories: [Category] {
    guard self.isSearch else { return [] }
    return self.categories.filter { self.search.parts(of: $0.name).first?.isFound == true }
  }

  private var title: String {
    if self.isOfFavorites { return "Favorites" }
    // The categories may not be loaded yet.
    return self.isOfAll ? "All animals" : self.category?.name ?? "Animals"
  }

  /// The number of animals; empty if a text says that there are none, or none yet.
  private var count: String {
    let count = self.animals.count
    if count == 0 { return "" }
    return self.isSearch
      ? "\(count.grouped) of \(self.total.grouped)" : count.counting("animal", "animals")
  }

  private var isSortable: Bool { self.animals.isEmpty == false || self.order == .own }

  private var isEmpty: Bool { self.animals.isEmpty && self.status == .success }

  static let template = Template<Self>([
    .text("title") { $0.title },
    .rows("animals", Row.slots) { $0.rows },
    .form("buttons", AnimalList.buttons, attributes: { _ in ["class": "marks"] }),
    .choices("orders", \AnimalsLocal.order, label: { $0 == .name ? "By name" : "My order" }) {
      $0.order
    },
    .flag("isSortable") { $0.isSortable },
    .flag("isMovable") { $0.order == .own },
    .text("start") { $0.part.range.lowerBound },
    .text("total") { $0.part.count },
    .optionalText("failedChange") { $0.failedChange?.sentence },
    .text("part") { $0.start?.id ?? "first" },
    .text("count") { $0.count },
    .flag("isLoading") { $0.animals.isEmpty && $0.status.isUnderWay },
    .flag("isEmpty") { $0.isEmpty && $0.isSearch == false && $0.isOfFavorites == false },
    .flag("isOfAll") { $0.isOfAll },
    .flag("hasNoFavorites") { $0.isEmpty && $0.isOfFavorites },
    .optionalText("notFound") { $0.isEmpty && $0.isSearch ? $0.searchText : nil },
    .flag("isFetching") { $0.status == .waiting },
    .optionalText("failure") { $0.status?.error },
    .form("refresh", CategoryList.onTapRefreshButton),
    .flag("hasAnimals") { $0.total > 0 },
    .form("dismissFetch", CategoryList.onTapDismissFailureButton),
    .form("dismiss", AnimalList.onTapDismissFailureButton),
    .link("add", AnimalsLocal.self) { local, _ in local.sheet.value = .add },
    .link("showAll", AnimalsLocal.self) { local, _ in local.searchText = "" },
    .each(
      "foundCategories",
      [
        .text("name") { $0.name },
        .link("select", AnimalsLocal.self) { $0.list(.category($1.id)) },
      ]
    ) { $0.foundCategories },
    .link("back", AnimalsLocal.self) { local, _ in local.list(nil) },
  ])
}

extension AnimalList {
  static let onTapDismissFailureButton = Form<AnimalsAction>("dismiss") {
    .ui(.animalList(.onTapDismissFailureButton))
  }

  /// The buttons of all rows. A deletion needs no confirmation, since a toast can undo it.
  private static let buttons = Form<AnimalsAction>(
    "rows",
    .repeatable,
    fields: RowAction.field
  ) { action in
    switch action {
    case .delete(let animalId):
      .ui(.animalList(.onTapDeleteSelectedAnimalButton(animalId: animalId)))
    case .mark(let animalId, let isFavorite):
      .ui(.animalList(.onTapFavoriteButton(animalId: animalId, isFavorite: isFavorite)))
    case .move(let animalId, let after, let before):
      .ui(.animalList(.onTapMoveButton(animalId: animalId, after: after, before: before)))
    case .put(let animalId, let categoryId):
      .ui(
        .animalEditor(
          .onTapSaveChangesButton(
            animalId: animalId, changes: Animal.Changes(categoryId: categoryId))))
    }
  }

  private struct Row: Identifiable, Hashable, Sendable {
    let animal: Animal
    /// The parts of the name that the search finds, and those around them.
    let name: [SearchText.Part]
    /// The name of its category, in lists with animals of several.
    let kind: String?
    /// Whether it is being saved or deleted, and so cannot be changed now.
    let isWaiting: Bool
    /// Whether the list is in custom order.
    let isMovable: Bool
    /// The moves by one place; `nil` at the end of the list, and while it is being saved.
    let up: RowAction?
    let down: RowAction?

    /// How far away the rows are that a move by one place depends on.
    static let reach = 2

    /// What all rows of a list depend on.
    struct List: Hashable, Sendable {
      /// The names of categories, in lists with animals of several.
      let kinds: [Category.ID: String]
      let search: SearchText
      let isMovable: Bool
    }

    init(_ row: ListRows<Animal, Self>.Context, in list: List) {
      self.animal = row.source
      self.name = list.search.parts(of: row.source.name)
      self.kind = list.kinds[row.source.categoryId]
      self.isWaiting = row.isMarked
      self.isMovable = list.isMovable
      guard list.isMovable, row.isMarked == false else {
        (self.up, self.down) = (nil, nil)
        return
      }
      self.up = row[-1].map { .move(row.source.id, after: row[-2]?.id, before: $0.id) }
      self.down = row[1].map { .move(row.source.id, after: $0.id, before: row[2]?.id) }
    }

    var id: Animal.ID { self.animal.id }

    private var deletion: [FieldOption] {
      RowAction.delete(self.id).button(self.animal.name.isolated)
    }

    static let slots: Slots<Self> = [
      .each("name", [.text("text") { $0.text }, .flag("isFound") { $0.isFound }]) { $0.name },
      .text("isolatedName") { $0.animal.name.isolated },
      .optional("picture", [.text("url") { $0.url(.row) }]) { $0.animal.picture },
      .optionalText("kind") { $0.kind },
      .link("select", AnimalsLocal.self) { $0.select(animal: $1.animal) },
      .flag("isWaiting") { $0.isWaiting },
      .flag("isFavorite") { $0.animal.isFavorite },
      .flag("isMovable") { $0.isMovable },
      .field("up", RowAction.field, options: { $0.button($0.up, "up") }),
      .field("down", RowAction.field, options: { $0.button($0.down, "down") }),
      .field("star", RowAction.field, options: { RowAction.star(of: $0.animal) }),
      .field("delete", RowAction.field, options: { $0.deletion }),
    ]

    private func button(_ move: RowAction?, _ direction: String) -> [FieldOption] {
      move?.button("Move \(self.animal.name.isolated) \(direction)") ?? []
    }
  }
}
