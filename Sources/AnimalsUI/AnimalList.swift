import AnimalsData
import HTMLTemplates
import ImmutableUI

/// The animals of the selected category, those that have a star, or those that a search finds.
///
/// Source: the guide, chapter AnimalsUI, section AnimalList.
struct AnimalList: Presenter, Hashable {
  @SelectAnimalsValues private var animals: SortedRows<Animal>
  @SelectCategory private var category: Category?
  @SelectCategoriesValues private var categories
  @SelectAnimalsCount private var total
  @SelectAnimalsStatus private var status
  @SelectMarkError private var markError: String?
  @SelectWaitingAnimals private var waiting: Set<Animal.ID>
  private let listing: Listing?
  /// As it was entered.
  private let searchText: String
  private let number: ListPart.Number

  init(_ local: AnimalsLocal) {
    self._animals = SelectAnimalsValues(local.listing)
    self._category = SelectCategory(categoryId: local.selectedCategoryId)
    self.listing = local.listing
    self.searchText = local.searchText
    self.number = local.part
  }

  private var part: ListPart { ListPart(self.number, of: self.animals.count) }

  private var rows: [Row] {
    // Who looks at all of them sees what each is.
    let names: [Category.ID: String] =
      self.isOfAll
      ? Dictionary(self.categories.map { ($0.id, $0.name) }) { first, _ in first } : [:]
    let waiting = self.waiting
    return self.part.elements(of: self.animals).map { animal in
      Row(
        animal: animal,
        kind: names[animal.categoryId],
        isWaiting: waiting.contains(animal.id)
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

  private var title: String? {
    if self.isOfFavorites { return "Favorites" }
    return self.isOfAll ? "All animals" : self.category?.name
  }

  /// How many animals there are; nothing where it is said that there are none, or not yet any.
  private var count: String {
    switch (self.animals.count, self.isSearch) {
    case (0, _): ""
    case (let count, true): "\(count) of \(self.total)"
    case (1, false): "1 animal"
    case (let count, false): "\(count) animals"
    }
  }

  private var isEmpty: Bool { self.animals.isEmpty && self.status == .success }

  static let template = Template<Self>([
    .optional("title", [.text("name") { $0 }]) { $0.title },
    .rows(
      "animals",
      [
        .text("name") { $0.animal.name },
        .optional("kind", [.text("name") { $0 }]) { $0.kind },
        .link("select", AnimalsLocal.self) { $0.select(animal: $1.animal) },
        .flag("isWaiting") { $0.isWaiting },
        .field("star", Star.field, options: { Star.options(of: $0.animal) }),
        .flag("isFavorite") { $0.animal.isFavorite },
        .link("delete", AnimalsLocal.self) { $0.sheet.value = .delete($1.id) },
      ]
    ) { $0.rows },
    .form("mark", AnimalList.mark, attributes: { _ in ["class": "marks"] }),
    .optional("markError", [.text("error") { $0 }]) { $0.markError },
    .text("part") { $0.part.number },
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
    .link("add", AnimalsLocal.self) { local, _ in local.sheet.value = .add },
    .link("showAll", AnimalsLocal.self) { local, _ in local.searchText = "" },
    .link("back", AnimalsLocal.self) { local, _ in local.list(nil) },
  ])
}

extension AnimalList {
  private static let mark = Form<AnimalsAction>(
    "mark",
    .repeatable,
    fields: Star.field
  ) { star in
    .ui(
      .animalList(.onTapFavoriteButton(animalId: star.animalId, isFavorite: star.isFavorite)))
  }

  /// Which animals are listed.
  enum Listing: Hashable, Sendable {
    case category(Category.ID)
    case favorites
    /// Of all animals.
    case found(AnimalSearch)
  }

  private struct Row: Identifiable, Hashable, Sendable {
    let animal: Animal
    /// The name of its category, where animals of several are listed.
    let kind: String?
    /// Whether it is being saved or deleted, so that it cannot be deleted now.
    let isWaiting: Bool

    var id: Animal.ID { self.animal.id }
  }
}
