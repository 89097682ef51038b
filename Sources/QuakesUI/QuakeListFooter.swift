import HTMLTemplates
import ImmutableUI
import QuakesData

/// How many earthquakes there are, and of which day.
struct QuakeListFooter: Component, Hashable {
  let search: QuakeList.Search
  let sort: QuakeList.Sort
  /// What a window shows that says no day.
  let today: CalendarDay

  var body: some Component {
    Container(search: self.search, sort: self.sort, today: self.today)
  }
}

extension QuakeListFooter {
  private struct Container: Component {
    @SelectQuakesValues private var quakes: [Quake]
    @SelectQuakesCount private var totalQuakes
    private let day: CalendarDay
    private let today: CalendarDay

    init(search: QuakeList.Search, sort: QuakeList.Sort, today: CalendarDay) {
      self._quakes = SelectQuakesValues(search, sort)
      self.day = search.day
      self.today = today
    }

    var body: some Component {
      Presenter(
        count: self.quakes.count,
        totalQuakes: self.totalQuakes,
        day: self.day,
        today: self.today
      )
    }
  }

  private struct Presenter: ImmutableUI.Presenter {
    let count: Int
    let totalQuakes: Int
    let day: CalendarDay
    let today: CalendarDay

    static let template = Template<Self>([
      .text("count") { $0.count },
      .text("earthquakes") { $0.count == 1 ? "earthquake" : "earthquakes" },
      .text("total") { $0.totalQuakes },
      .flag("isEmpty") { $0.totalQuakes == 0 },
      .localForm("dateForm", QuakesLocal.self) { $0.part = .first },
      .field("date", QuakesLocal.dateField) { $0.today },
      .link("previous", QuakesLocal.self) { $0.show($1.day.advanced(by: -1)) },
      .link("next", QuakesLocal.self) { $0.show($1.day.advanced(by: 1)) },
    ])
  }
}
