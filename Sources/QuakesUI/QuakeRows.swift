import HTMLTemplates
import ImmutableUI
import QuakesData

/// The rows of the list, or why there are none.
struct QuakeRows: Presenter, Hashable {
  @SelectQuakesValues private var quakes: [Quake]
  @SelectQuakesCount private var totalQuakes
  @SelectQuakesStatus private var status
  private let number: ListPart.Number

  init(search: QuakeList.Search, sort: QuakeList.Sort, part: ListPart.Number) {
    self._quakes = SelectQuakesValues(search, sort)
    self.number = part
  }

  private var part: ListPart { ListPart(self.number, of: self.quakes.count) }

  static let template = Template<Self>([
    .flag("isEmpty") { $0.totalQuakes == 0 && $0.status.isUnderWay == false },
    .text("part") { $0.part.number },
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
    ) { $0.part.elements(of: $0.quakes) },
  ])
}
