import Foundation
import ImmutableUI
import PlainText
import QuakesData

/// The earthquakes of a day, and the controls that filter them.
///
/// Source: the guide, chapter QuakesUI, section QuakeList.
struct QuakeList: Presenter {
  let local: QuakesLocal

  static let template = Template<Self>([
    .localForm("searchForm", QuakesLocal.self) { $0.start = nil },
    .field("searchText", QuakesLocal.searchField),
    .region("places") { QuakePlaces(search: $0.local.search) },
    .region("scopes") { QuakeScopes(sort: $0.local.sort, minimum: $0.local.minimumMagnitude) },
    .region("counts") { QuakeCounts(search: $0.local.search) },
    .attribute("until", "data-shown", from: QuakesLocal.self) { local in
      local.until.wholeHour.map { "until \($0.text)" } ?? ""
    },
    .region("tokens") {
      QuakeTokens(
        searchText: SearchText($0.local.searchText).text,
        minimum: $0.local.minimumMagnitude
      )
    },
    .link("openCharts", QuakesLocal.self, scrollingTo: { _ in "charts" }) { local, _ in
      local.showsCharts = true
    },
    .region("status") { _ in RefreshStatus() },
    .region("rows") {
      QuakeRows(search: $0.local.search, sort: $0.local.sort, from: $0.local.start)
    },
    .region("noResults") { component in
      QuakeNoResults(
        search: component.local.search,
        searchText: SearchText(component.local.searchText).text,
        timeZone: component.local.timeZone,
        today: component.local.today
      )
    },
    .region("part") {
      ListPartLinks(
        \QuakesLocal.start,
        from: $0.local.start,
        at: SelectQuake(quakeId: $0.local.start?.id),
        of: SelectQuakesValues($0.local.search, $0.local.sort),
        selection: SelectQuake(quakeId: $0.local.listSelection)
      )
    },
  ])
}

extension QuakeList {
  enum SortOrder: String, CaseIterable, Identifiable, Hashable, Sendable {
    case forward
    case reverse

    var id: Self { self }
  }

  enum SortParameter: String, CaseIterable, Identifiable, Hashable, Sendable {
    case time
    case magnitude

    var id: Self { self }
  }

  struct Sort: Hashable, Sendable {
    let parameter: SortParameter
    let order: SortOrder
  }

  /// The search.
  struct Search: Hashable, Sendable {
    let text: SearchText
    let day: CalendarDay
    /// The interval of the day in the window's time zone.
    let interval: Range<Date>
    let minimum: MinimumMagnitude
    /// The time zone for that day.
    let clock: TimeZone

    /// What it finds.
    var quakes: QuakeSearch {
      QuakeSearch(self.text, in: self.interval, from: self.minimum.value)
    }

    /// All earthquakes of that day.
    var ofWholeDay: Self {
      Self(
        text: SearchText(), day: self.day, interval: self.interval, minimum: .all, clock: self.clock
      )
    }
  }
}
