import Foundation
import HTMLTemplates
import ImmutableUI
import QuakesData

/// The earthquakes of a day, with what can be done to them.
///
/// Source: the guide, chapter QuakesUI, section QuakeList.
struct QuakeList: Presenter {
  let local: QuakesLocal

  static let template = Template<Self>([
    .region("refreshMenu") { _ in RefreshMenu() },
    .region("deleteMenu") {
      DeleteMenu(listSelection: $0.local.listSelection, search: $0.local.search)
    },
    .region("sortMenu") { SortMenu(search: $0.local.search, sort: $0.local.sort) },
    .localForm("searchForm", QuakesLocal.self) { $0.part = .first },
    .field("searchText", QuakesLocal.searchField),
    .region("status") { _ in RefreshStatus() },
    .region("rows") {
      QuakeRows(search: $0.local.search, sort: $0.local.sort, part: $0.local.part)
    },
    .region("noResults") { component in
      QuakeNoResults(
        search: component.local.search,
        searchText: SearchText(component.local.searchText).text
      )
    },
    .region("part") {
      ListPartLinks(
        \QuakesLocal.part,
        showing: $0.local.part,
        of: SelectQuakesValues($0.local.search, $0.local.sort),
        selection: $0.local.listSelection
      )
    },
    .region("footer") {
      QuakeListFooter(search: $0.local.search, sort: $0.local.sort, today: $0.local.today)
    },
  ])
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
