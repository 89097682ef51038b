import AnimalsData
import HTMLTemplates
import ImmutableUI

/// All categories, and what concerns the whole catalogue.
///
/// Source: the guide, chapter AnimalsUI, section CategoryList.
struct CategoryList: Presenter, Hashable {
  @SelectCategoriesValues private var categories
  @SelectCategoriesStatus private var status

  static let template = Template<Self>([
    .rows(
      "categories",
      [
        .text("name") { $0.name },
        .link("select", AnimalsLocal.self) { $0.select(category: $1) },
      ]
    ) { $0.categories },
    .flag("isLoading") { $0.categories.isEmpty && $0.status.isUnderWay },
    .flag("isFetching") { $0.status == .waiting },
    .optional("failure", [.text("error") { $0 }]) { $0.status?.error },
    .form("refresh", CategoryList.onTapRefreshButton),
    .link("reload", AnimalsLocal.self) { local, _ in local.sheet.value = .reload },
  ])

  static let onTapRefreshButton = Form<AnimalsAction>("refresh") {
    .ui(.categoryList(.onTapRefreshButton))
  }
}
