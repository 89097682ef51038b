import AnimalsData
import HTMLTemplates
import ImmutableUI

/// The animals of the selected category.
///
/// Source: the guide, chapter AnimalsUI, section AnimalList.
struct AnimalList: Component, Hashable {
  private let selectedCategoryId: Category.ID?

  init(selectedCategoryId: Category.ID?) {
    self.selectedCategoryId = selectedCategoryId
  }

  var body: some Component {
    Container(selectedCategoryId: self.selectedCategoryId)
  }
}

extension AnimalList {
  private struct Container: Component {
    @SelectAnimalsValues private var animals: [Animal]
    @SelectCategory private var category: Category?
    @SelectAnimalsStatus private var status

    init(selectedCategoryId: Category.ID?) {
      self._animals = SelectAnimalsValues(categoryId: selectedCategoryId)
      self._category = SelectCategory(categoryId: selectedCategoryId)
    }

    var body: some Component {
      Presenter(animals: self.animals, category: self.category, status: self.status)
    }
  }

  private struct Presenter: ImmutableUI.Presenter {
    let animals: [Animal]
    let category: Category?
    let status: Status?

    /// How many animals there are; nothing where it is said that there are none, or not yet any.
    var count: String {
      switch self.animals.count {
      case 0: ""
      case 1: "1 animal"
      case let count: "\(count) animals"
      }
    }

    static let template = Template<Self>([
      .optional("category", [.text("name") { $0.name }]) { $0.category },
      .rows(
        "animals",
        [
          .text("name") { $0.name },
          .link("select") { AnimalsLocal.selecting(animal: $0) },
          .link("delete") { AnimalsLocal.presenting(.delete($0.id)) },
        ]
      ) { $0.animals },
      .text("count") { $0.count },
      .flag("isLoading") { $0.animals.isEmpty && $0.status.isUnderWay },
      .flag("isEmpty") { $0.animals.isEmpty && $0.status == .success },
      .flag("isFetching") { $0.status == .waiting },
      .optional("failure", [.text("error") { $0 }]) { $0.status?.error },
      .form("refresh", CategoryList.onTapRefreshButton),
      .link("add") { _ in AnimalsLocal.presenting(.add()) },
      .link("back") { _ in AnimalsLocal.selecting(category: nil) },
    ])
  }
}
