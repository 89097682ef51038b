import Foundation
import HTMLTemplates
import ImmutableUI
import QuakesData

/// The earthquakes of a day, with what can be done to them.
///
/// Source: the guide, chapter QuakesUI, section QuakeList.
struct QuakeList: Component {
  private let local: QuakesLocal

  init(_ local: QuakesLocal) {
    self.local = local
  }

  var body: some Component {
    Presenter(
      search: self.local.search,
      searchText: SearchText(self.local.searchText).text,
      sort: self.local.sort,
      part: self.local.part,
      today: self.local.today,
      listSelection: self.local.listSelection
    )
  }
}

extension QuakeList {
  enum SortOrder: String, CaseIterable, Identifiable, Hashable, Sendable {
    case forward
    case reverse

    var id: Self { self }
    var name: String { self.rawValue.capitalized }
  }

  enum SortParameter: String, CaseIterable, Identifiable, Hashable, Sendable {
    case time
    case magnitude

    var id: Self { self }
    var name: String { self.rawValue.capitalized }
  }

  struct Sort: Hashable, Sendable {
    let parameter: SortParameter
    let order: SortOrder
  }

  /// What is looked for.
  struct Search: Hashable, Sendable {
    /// Without case and accents.
    let text: String
    let day: CalendarDay
    /// When it is that day where the window is.
    let interval: Range<Date>
  }
}

extension QuakeList {
  private struct Presenter: ImmutableUI.Presenter {
    let search: Search
    let searchText: String
    let sort: Sort
    let part: ListPart.Number
    let today: CalendarDay
    let listSelection: Quake.ID?

    static let template = Template<Self>([
      .region("refreshMenu") { _ in RefreshMenu() },
      .region("deleteMenu") { DeleteMenu(listSelection: $0.listSelection, search: $0.search) },
      .region("sortMenu") { SortMenu(search: $0.search, sort: $0.sort) },
      .localForm("searchForm", QuakesLocal.self) { $0.part = .first },
      .field("searchText", QuakesLocal.searchField),
      .region("status") { _ in RefreshStatus() },
      .region("rows") { QuakeRows(search: $0.search, sort: $0.sort, part: $0.part) },
      .region("noResults") { QuakeNoResults(search: $0.search, searchText: $0.searchText) },
      .region("part") {
        QuakeListPart(
          search: $0.search,
          sort: $0.sort,
          part: $0.part,
          listSelection: $0.listSelection
        )
      },
      .region("footer") {
        QuakeListFooter(search: $0.search, sort: $0.sort, today: $0.today)
      },
    ])
  }
}
