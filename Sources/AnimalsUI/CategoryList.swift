import AnimalsData
import HTMLTemplates
import ImmutableUI

/// All categories, and what concerns the whole catalogue.
///
/// Source: the guide, chapter AnimalsUI, section CategoryList.
struct CategoryList: Component, Hashable {
  var body: some Component {
    Container()
  }
}

extension CategoryList {
  private struct Container: Component {
    @SelectCategoriesValues private var categories
    @SelectCategoriesStatus private var status

    var body: some Component {
      Presenter(categories: self.categories, status: self.status)
    }
  }

  private struct Presenter: ImmutableUI.Presenter {
    let categories: [Category]
    let status: Status?

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
  }
}

extension CategoryList {
  static let onTapRefreshButton = Form<AnimalsAction>("refresh") {
    .ui(.categoryList(.onTapRefreshButton))
  }
}

extension Status? {
  /// Whether a first fetch has not ended, or is about to begin.
  var isUnderWay: Bool {
    self == nil || self == .waiting
  }
}

extension Status {
  /// Why it failed, if it did.
  var error: String? {
    if case .failure(let error) = self { error } else { nil }
  }
}
