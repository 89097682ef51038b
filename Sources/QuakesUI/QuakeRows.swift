import HTMLTemplates
import ImmutableUI
import QuakesData

/// The rows of the list, or why there are none.
struct QuakeRows: Component, Hashable {
  let search: QuakeList.Search
  let sort: QuakeList.Sort

  var body: some Component {
    Container(search: self.search, sort: self.sort)
  }
}

extension QuakeRows {
  private struct Container: Component {
    @SelectQuakesValues private var quakes: [Quake]
    @SelectQuakesCount private var totalQuakes
    @SelectQuakesStatus private var status
    private let search: QuakeList.Search

    init(search: QuakeList.Search, sort: QuakeList.Sort) {
      self._quakes = SelectQuakesValues(search, sort)
      self.search = search
    }

    var body: some Component {
      Presenter(
        quakes: self.quakes,
        isEmpty: self.totalQuakes == 0,
        isLoading: self.status == nil || self.status == .waiting,
        search: self.search
      )
    }
  }

  private struct Presenter: ImmutableUI.Presenter {
    let quakes: [Quake]
    /// Whether there are none of any day.
    let isEmpty: Bool
    let isLoading: Bool
    let search: QuakeList.Search

    static let template = Template<Self>([
      .flag("isEmpty") { $0.isEmpty && $0.isLoading == false },
      .flag("hasNoResults") { $0.quakes.isEmpty && $0.isEmpty == false },
      .text("searchText") { $0.search.text },
      .text("day") { $0.search.day.text },
      .form("refresh", RefreshMenu.onTapRefreshQuakesButton),
      .form("sample", RefreshMenu.onTapLoadSampleButton),
      .rows(
        "quakes",
        [
          .text("rowID") { $0.rowID },
          .text("magnitude") { $0.magnitudeString },
          .text("color") { $0.color },
          .text("name") { $0.name },
          .text("dateTime") { $0.dateTime },
          .text("time") { $0.absoluteTime },
          .link("select", scrollingTo: { $0.rowID }) { QuakesLocal.selecting(inList: $0) },
        ]
      ) { $0.quakes },
    ])
  }
}
