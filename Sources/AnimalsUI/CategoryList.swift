import AnimalsData
import HTMLTemplates
import ImmutableUI

/// All categories, and the actions that concern the whole catalogue.
///
/// Source: the guide, chapter AnimalsUI, section CategoryList.
struct CategoryList: Presenter, Hashable {
  @SelectCategoriesValues private var categories
  @SelectCategoriesStatus private var status
  @SelectAnimalsCounts private var counts
  @SelectFavoritesCount private var favoritesCount
  @SelectAnimalsStatus private var animalsStatus

  private var rows: [Row] {
    guard self.categories.isEmpty == false else { return [] }
    let isCounted = self.counts.isEmpty == false || self.animalsStatus == .success
    let all = Row(
      id: .all,
      name: "All animals",
      count: isCounted ? self.counts.values.reduce(0, +) : nil
    )
    let favorites = Row(
      id: .favorites,
      name: "Favorites",
      count: isCounted ? self.favoritesCount : nil
    )
    return [all, favorites]
      + self.categories.map { category in
        Row(
          id: .category(category.id),
          name: category.name,
          count: isCounted ? self.counts[category.id, default: 0] : nil
        )
      }
  }

  static let template = Template<Self>([
    .rows(
      "categories",
      [
        .text("name") { $0.name },
        .link("select", AnimalsLocal.self) { $0.list($1.id) },
        .optional("count", [.text("animals") { $0 }]) { $0.count },
      ]
    ) { $0.rows },
    .flag("isLoading") { $0.categories.isEmpty && $0.status.isUnderWay },
    .flag("isFetching") { $0.status == .waiting },
    .optional("failure", [.text("error") { $0 }]) { $0.status?.error },
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
    let count: Int?
  }

  /// A category, or a list of animals of all categories.
  enum RowID: Hashable, Sendable, CustomStringConvertible {
    case all
    case favorites
    case category(Category.ID)

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
