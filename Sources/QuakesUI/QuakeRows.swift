import ImmutableUI
import PlainText
import QuakesData

/// The rows of the list, or the reason why there are none.
struct QuakeRows: Presenter, Hashable {
  @SelectQuakesValues private var quakes: SortedRows<Quake>
  @SelectHasQuakes private var hasQuakes
  @SelectQuakesStatus private var status
  @ImmutableUI.Selector(outputSelector: QuakesState.selectDeletedQuakes()) private var deleted
  @ImmutableUI.Selector(outputSelector: QuakesState.selectIsSample()) private var isSample
  @SelectQuake private var firstRow: Quake?
  private let search: QuakeList.Search
  private let start: ListPart.Start<Quake.ID>?

  init(_ local: QuakesLocal) {
    let search = local.search
    self._quakes = SelectQuakesValues(search, local.sort)
    self.search = search
    self.start = local.start
    self._firstRow = SelectQuake(quakeId: local.start?.id)
  }

  private var part: ListPart { ListPart(of: self.quakes, from: self.start, at: self.firstRow) }

  private var rows: ListRows<Quake, QuakeRow> {
    let search = self.search
    return ListRows(self.part, of: self.quakes, capturing: search) {
      QuakeRow($0.source, in: search)
    }
  }

  static let template = Template<Self>([
    .flag("isEmpty") { $0.hasQuakes == false && $0.status.isUnderWay == false },
    .text("part") { $0.start?.id ?? "first" },
    .form("refresh", RefreshMenu.onTapRefreshQuakesButton),
    .field("range", RefreshMenu.range),
    .flag("isSample") { $0.isSample },
    .form("sample", RefreshMenu.onTapLoadSampleButton),
    .text("deleted") { $0.deleted?.count.counting("earthquake was", "earthquakes were") ?? "" },
    .form("restore", QuakeRows.onTapRestoreQuakesButton),
    .field("deletion", QuakeRows.deletion) { $0.deleted?.deletion },
    .rows(
      "quakes",
      [
        .text("rowID") { $0.quake.rowID },
        .text("magnitude") { $0.quake.magnitudeString },
        .text("class") { $0.quake.magnitudeClass.rawValue },
        .each("name", [.text("text") { $0.text }, .flag("isFound") { $0.isFound }]) {
          $0.nameParts
        },
        .text("at") { $0.clock },
        .text("clock") { $0.clock.text },
        .text("dateTime") { $0.quake.dateTime },
        .text("time") { $0.quake.absoluteTime },
        .link("select", QuakesLocal.self, scrollingTo: { $0.quake.rowID }) {
          $0.select(inList: $1.quake)
        },
      ]
    ) { $0.rows },
  ])
}

extension QuakeRows {
  private static let deletion = Field<Int>.hidden("deletion")

  private static let onTapRestoreQuakesButton = Form<QuakesAction>(
    "restore",
    fields: Self.deletion
  ) {
    .ui(.quakeList(.onTapRestoreQuakesButton(deletion: $0)))
  }
}
