import HTMLTemplates
import ImmutableUI
import QuakesData

/// The rows of the list, or why there are none.
struct QuakeRows: Component, Hashable {
  let search: QuakeList.Search
  let sort: QuakeList.Sort
  let part: ListPart.Number

  var body: some Component {
    Container(search: self.search, sort: self.sort, part: self.part)
  }
}

extension QuakeRows {
  private struct Container: Component {
    @SelectQuakesValues private var quakes: [Quake]
    @SelectQuakesCount private var totalQuakes
    @SelectQuakesStatus private var status
    private let part: ListPart.Number

    init(search: QuakeList.Search, sort: QuakeList.Sort, part: ListPart.Number) {
      self._quakes = SelectQuakesValues(search, sort)
      self.part = part
    }

    var body: some Component {
      let quakes = self.quakes
      let part = ListPart(self.part, of: quakes.count)
      return Presenter(
        quakes: part.elements(of: quakes),
        part: part.number,
        isEmpty: self.totalQuakes == 0,
        isLoading: self.status == nil || self.status == .waiting
      )
    }
  }

  private struct Presenter: ImmutableUI.Presenter {
    let quakes: [Quake]
    /// Which part of the list they are, from 1.
    let part: Int
    /// Whether there are none of any day.
    let isEmpty: Bool
    let isLoading: Bool

    static let template = Template<Self>([
      .flag("isEmpty") { $0.isEmpty && $0.isLoading == false },
      .text("part") { $0.part },
      .form("refresh", RefreshMenu.onTapRefreshQuakesButton),
      .field("range", RefreshMenu.range),
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
          .link("select", QuakesLocal.self, scrollingTo: { $0.rowID }) { $0.select(inList: $1) },
        ]
      ) { $0.quakes },
    ])
  }
}
