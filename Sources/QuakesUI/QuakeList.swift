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
    .localForm("searchForm", QuakesLocal.self),
    .field("searchText", QuakesLocal.searchField),
    .region("places") { QuakePlaces($0.local) },
    .region("scopes") { QuakeScopes($0.local) },
    .region("counts") { QuakeCounts($0.local) },
    .attribute("until", "data-shown", from: QuakesLocal.self) { local in
      local.until.wholeHour.map { "until \($0.text)" } ?? ""
    },
    .region("tokens") { QuakeTokens($0.local) },
    .link("openCharts", QuakesLocal.self, scrollingTo: { _ in "charts" }) { local, _ in
      local.showsCharts = true
    },
    .region("status") { _ in RefreshStatus() },
    .region("rows") { QuakeRows($0.local) },
    .region("noResults") { QuakeNoResults($0.local) },
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
