import AnimalsData
import ImmutableUI

/// All categories, and the actions that concern the whole catalog.
///
/// Source: the guide, chapter AnimalsUI, section CategoryList.
struct CategoryList: Presenter, Hashable {
  @SelectCategoriesValues private var categories
  @ImmutableUI.Selector(outputSelector: AnimalsState.selectCategoriesStatus()) private var status
  @TableSelector<AnimalsState.Store, RowCounts<Animal, Category.ID>>(
    from: \.animalsTable, into: .byCategory
  ) private var counts: [Category.ID: Int]
  @TableSelector<AnimalsState.Store, RowCount<Animal>>(
    from: \.animalsTable, into: .favorites
  ) private var favoritesCount: Int
  @SelectAnimalsStatus private var animalsStatus

  private var rows: [Row] {
    guard self.categories.isEmpty == false else { return [] }
    let isCounted = self.counts.isEmpty == false || self.animalsStatus == .success
    func row(_ id: RowID, _ name: String, _ count: Int?) -> Row {
      Row(id: id, name: name, count: isCounted ? (count ?? 0).grouped : nil)
    }
    return [
      row(.all, "All animals", self.counts.values.reduce(0, +)),
      row(.favorites, "Favorites", self.favoritesCount),
    ] + self.categories.map { row(.category($0.id), $0.name, self.counts[$0.id]) }
  }

  static let template = Template<Self>([
    .rows(
      "categories",
      [
        .text("name") { $0.name },
        .link("select", AnimalsLocal.self) { $0.list($1.id) },
        .optionalText("count") { $0.count },
      ]
    ) { $0.rows },
    .flag("isLoading") { $0.categories.isEmpty && $0.status.isUnderWay },
    .flag("isFetching") { $0.status == .waiting },
    .optionalText("failure") { $0.status?.error },
    .form("refresh", CategoryList.onTapRefreshButton),
    .flag("hasRows") { $0.categories.isEmpty == false },
    .form("dismiss", CategoryList.onTapDismissFailureButton),
    .link("reload", AnimalsLocal.self) { local, _ in local.sheet.value = .reload },
  ])

  static let onTapRefreshButton = Form<AnimalsAction>("refresh") {
    .ui(.categoryList(.onTapRefreshButton))
  }

  static let onTapDismissFailureButton = Form<AnimalsAction>("dismissFetch") {
    .ui(.categoryList(.onTapDismissFailureButton))
  }
}

extension CategoryList {
  private struct Row: Identifiable, Hashable, Sendable {
    let id: RowID
    let name: String
    /// The number of its animals; `nil` until they have been fetched.
    let count: String?
  }

  /// A category, or a list of animals of all categories.
  enum RowID: Hashable, Sendable, CustomStringConvertible {
    case all
    case favorites
    case category(Category.ID)

    var categoryId: Category.ID? {
      if case .category(let categoryId) = self { categoryId } else { nil }
    }

    var description: String {
      switch self {
      // Ids of categories are not empty, and have at most 100 bytes.
      case .all: ""
      case .favorites: String(repeating: "favorites", count: 12)
      case .category(let id): id
      }
    }
  }
}
