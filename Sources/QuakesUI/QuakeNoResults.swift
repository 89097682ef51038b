import HTMLTemplates
import ImmutableUI
import QuakesData

/// Says that nothing was found, and of what.
struct QuakeNoResults: Component, Hashable {
  let search: QuakeList.Search
  /// As it was entered.
  let searchText: String

  var body: some Component {
    Container(search: self.search, searchText: self.searchText)
  }
}

extension QuakeNoResults {
  private struct Container: Component {
    @SelectQuakesValues private var quakes: [Quake]
    @SelectQuakesCount private var totalQuakes
    private let search: QuakeList.Search
    private let searchText: String

    init(search: QuakeList.Search, searchText: String) {
      self._quakes = SelectQuakesValues(search, QuakeMarkers.sort)
      self.search = search
      self.searchText = searchText
    }

    var body: some Component {
      Presenter(
        isShown: self.quakes.isEmpty && self.totalQuakes > 0,
        searchText: self.searchText,
        day: self.search.day
      )
    }
  }

  private struct Presenter: ImmutableUI.Presenter {
    let isShown: Bool
    let searchText: String
    let day: CalendarDay

    static let template = Template<Self>([
      .flag("isShown") { $0.isShown },
      .text("searchText") { $0.searchText },
      .text("day") { $0.day.text },
    ])
  }
}
