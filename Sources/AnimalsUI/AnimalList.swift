import AnimalsData
import HTMLTemplates
import HashTreeCollections
import ImmutableUI

/// The animals of the selected category, those with a star, or those that a search finds.
///
/// Source: the guide, chapter AnimalsUI, section AnimalList.
struct AnimalList: Presenter, Hashable {
  @SelectAnimalsValues private var animals: SortedRows<Animal>
  @SelectCategory private var category: Category?
  @SelectCategoriesValues private var categories
  @SelectAnimalsCount private var total
  @SelectAnimalsStatus private var status
  @SelectFailedChange private var failedChange: FailedChange?
  @SelectAnimal private var firstRow: Animal?
  @SelectWaitingAnimals private var waiting: TreeSet<Animal.ID>
  private let start: ListPart.Start<Animal.ID>?
  private let listing: Listing?
  private let order: AnimalsOrder
  /// The search text as it was entered.
  private let searchText: String

  init(_ local: AnimalsLocal) {
    self._animals = SelectAnimalsValues(local)
    self._category = SelectCategory(categoryId: local.selectedCategoryId)
    self.listing = local.listing
    self.order = local.order
    self.searchText = local.searchText
    self.start = local.start
    self._firstRow = SelectAnimal(animalId: local.start?.id)
  }

  private var part: ListPart { ListPart(of: self.animals, from: self.start, at: self.firstRow) }

  private var rows: ListRows<Animal, Row> {
    // A list of all animals shows the category of each.
    let names: [Category.ID: String] =
      self.isOfAll
      ? Dictionary(self.categories.map { ($0.id, $0.name) }) { first, _ in first } : [:]
    let isOwnOrder = self.order == .own
    return ListRows(
      self.part,
      of: self.animals,
      marked: self.waiting,
      reach: isOwnOrder ? Moves.reach : 0,
      capturing: names
    ) { row in
      Row(
        animal: row.source,
        kind: names[row.source.categoryId],
        isWaiting: row.isMarked,
        moves: isOwnOrder
          ? (row.isMarked ? Moves() : Moves(of: row.source.id) { row[$0]?.id }) : nil
      )
    }
  }

  private var isOfAll: Bool {
    if case .found = self.listing { true } else { self.isOfFavorites }
  }

  private var isOfFavorites: Bool { self.listing == .favorites }

  private var isSearch: Bool {
    if case .found(let search) = self.listing { search.isEmpty == false } else { false }
  }

  private var orders: [Order] {
    AnimalsOrder.allCases.map { Order(order: $0, isCurrent: $0 == self.order) }
  }

  private var title: String? {
    if self.isOfFavorites { return "Favorites" }
    return self.isOfAll ? "All animals" : self.category?.name
  }

  /// The number of animals; empty if a text says that there are none, or none yet.
  private var count: String {
    switch (self.animals.count, self.isSearch) {
    case (0, _): ""
    case (let count, true): "\(count) of \(self.total)"
    case (1, false): "1 animal"
    case (let count, false): "\(count) animals"
    }
  }

  private var isSortable: Bool { self.animals.isEmpty == false || self.order == .own }

  private var isEmpty: Bool { self.animals.isEmpty && self.status == .success }

  static let template = Template<Self>([
    .optional("title", [.text("name") { $0 }]) { $0.title },
    .rows("animals", Row.slots) { $0.rows },
    .form("buttons", AnimalList.buttons, attributes: { _ in ["class": "marks"] }),
    .each("orders", Order.slots) { $0.orders },
    .flag("isSortable") { $0.isSortable },
    .text("start") { $0.part.range.lowerBound },
    .text("total") { $0.part.count },
    .optional("failedChange", [.text("sentence") { $0.sentence }]) { $0.failedChange },
    .text("part") { $0.start?.id ?? "first" },
    .text("count") { $0.count },
    .flag("isLoading") { $0.animals.isEmpty && $0.status.isUnderWay },
    .flag("isEmpty") { $0.isEmpty && $0.isSearch == false && $0.isOfFavorites == false },
    .flag("isOfAll") { $0.isOfAll },
    .flag("hasNoFavorites") { $0.isEmpty && $0.isOfFavorites },
    .optional("notFound", [.text("searchText") { $0 }]) {
      $0.isEmpty && $0.isSearch ? $0.searchText : nil
    },
    .flag("isFetching") { $0.status == .waiting },
    .optional("failure", [.text("error") { $0 }]) { $0.status?.error },
    .form("refresh", CategoryList.onTapRefreshButton),
    .flag("hasAnimals") { $0.total > 0 },
    .form("dismissFetch", CategoryList.onTapDismissFailureButton),
    .form("dismiss", AnimalList.onTapDismissFailureButton),
    .link("add", AnimalsLocal.self) { local, _ in local.sheet.value = .add },
    .link("showAll", AnimalsLocal.self) { local, _ in local.searchText = "" },
    .link("back", AnimalsLocal.self) { local, _ in local.list(nil) },
  ])
}

extension AnimalList {
  static let onTapDismissFailureButton = Form<AnimalsAction>("dismiss") {
    .ui(.animalList(.onTapDismissFailureButton))
  }

  /// The buttons of all rows: only the field of the pressed button has a value. A deletion needs no
  /// confirmation, since a toast can undo it.
  private static let buttons = Form<AnimalsAction>(
    "rows",
    .repeatable,
    fields: Self.delete, Star.optionalField, Move.up, Move.down
  ) { animalId, star, up, down in
    if let animalId {
      return .ui(.animalList(.onTapDeleteSelectedAnimalButton(animalId: animalId)))
    }
    if let star {
      return .ui(
        .animalList(.onTapFavoriteButton(animalId: star.animalId, isFavorite: star.isFavorite)))
    }
    guard let move = up ?? down else { throw Refusal(field: "star", "Press a star.") }
    return .ui(
      .animalList(
        .onTapMoveButton(animalId: move.animalId, after: move.after, before: move.before)))
  }

  private static let delete = Field<Animal.ID>.choice("delete", .buttons, "Press a cross.")
    .optional()

  /// The listed animals.
  enum Listing: Hashable, Sendable {
    case category(Category.ID)
    case favorites
    /// A search in all animals.
    case found(AnimalSearch)
  }

  private struct Row: Identifiable, Hashable, Sendable {
    let animal: Animal
    /// The name of its category, in lists with animals of several.
    let kind: String?
    /// Whether it is being saved or deleted, and so cannot be changed now.
    let isWaiting: Bool
    /// Where it can be moved to, in a list in custom order.
    let moves: Moves?

    var id: Animal.ID { self.animal.id }

    private var movable: Movable? {
      self.moves.map { Movable(name: self.animal.name, moves: $0) }
    }

    static let slots: Slots<Self> = [
      .text("name") { $0.animal.name },
      .optional("picture", [.text("url") { $0.url(.row) }]) { $0.animal.picture },
      .optional("kind", [.text("name") { $0 }]) { $0.kind },
      .link("select", AnimalsLocal.self) { $0.select(animal: $1.animal) },
      .flag("isWaiting") { $0.isWaiting },
      .field("star", Star.optionalField, options: { Star.options(of: $0.animal) }),
      .flag("isFavorite") { $0.animal.isFavorite },
      .optional("moves", Movable.slots) { $0.movable },
      .field("delete", AnimalList.delete, options: { [FieldOption($0.id, $0.animal.name)] }),
    ]
  }

  private struct Movable: Hashable, Sendable {
    let name: String
    let moves: Moves

    var up: [FieldOption] { Move.options(self.moves.up, "Move \(self.name) up") }
    var down: [FieldOption] { Move.options(self.moves.down, "Move \(self.name) down") }

    static let slots: Slots<Self> = [
      .field("up", Move.up, options: { $0.up }),
      .field("down", Move.down, options: { $0.down }),
      .flag("isFirst") { $0.moves.up == nil },
      .flag("isLast") { $0.moves.down == nil },
    ]
  }

  /// A sort order of the list.
  private struct Order: Sendable {
    let order: AnimalsOrder
    let isCurrent: Bool

    static let slots: Slots<Self> = [
      .text("name") { $0.order == .name ? "By name" : "My order" },
      .flag("isCurrent") { $0.isCurrent },
      .link("choose", AnimalsLocal.self) { $0.sort(by: $1.order) },
    ]
  }
}
