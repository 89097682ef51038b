import Foundation
public import ImmutableUI
import PlainText
import QuakesData

/// The local state of one window of the earthquakes: the search, the sort order, the selection, the
/// map's camera, and whether charts are shown.
///
/// Source: the guide, chapter QuakesUI (the `@State` and `@Binding` of its components).
public struct QuakesLocal: LocalState {
  var searchText = ""
  /// `nil`: today.
  var searchDate: CalendarDay?
  var minimumMagnitude = MinimumMagnitude.all
  var sortOrder = QuakeList.SortOrder.reverse
  var sortParameter = QuakeList.SortParameter.time
  /// The first earthquake of the visible part of a long list; `nil` for the first of all.
  var start: ListPart.Start<Quake.ID>?
  var listSelection: Quake.ID?
  var mapSelection: Quake.ID?
  /// The earthquake for which the URL was copied. While it is selected, the day is that of the
  /// earthquake in the reader's time zone, which may not be the sender's day.
  var sharedSelection: Quake.ID?
  var showsCharts = false
  /// Late local state, which only pages and browsers have.
  var camera = MapCamera.world
  /// The time of the day up to which earthquakes are shown; `nil` for the whole day. Only pages and
  /// browsers have it.
  var until: ClockTime?

  // Values that are not in the URL.
  private(set) var timeZone = TimeZone.gmt
  private(set) var today = CalendarDay(of: .distantPast, in: .gmt)
  /// The shown day, which is the key of its bar; its interval, and the time zone for it.
  var shownDay: CalendarDay?
  private var interval = Date.distantPast..<Date.distantPast
  private var clock = TimeZone.gmt

  public init() {}

  public static let parameters: [Parameter<Self>] = [
    Parameter(Self.searchField, \.searchText).personal(),
    Parameter(Self.dateField, \.searchDate),
    Parameter("magnitude", \.minimumMagnitude),
    Parameter("order", \.sortOrder),
    Parameter("sort", \.sortParameter),
    Parameter("from", \.start).reset(
      by: \.searchText, \.searchDate, \.minimumMagnitude, \.sortOrder, \.sortParameter),
    Parameter("list", \.listSelection),
    Parameter("map", \.mapSelection),
    Parameter("shared", \.sharedSelection).reset(by: \.searchDate),
    Parameter("charts", \.showsCharts),
    Parameter("camera", \.camera).late(),
    Parameter("until", \.until).late().reset(by: \.searchDate),
  ]

  static let searchField = Field.text("search", .search, limit: SearchText.characterLimit)
  static let dateField = Field.date("date", "Enter a date.")

  public mutating func resolve(in environment: WindowEnvironment) {
    self.timeZone = environment.timeZone
    self.today = CalendarDay(of: environment.date, in: environment.timeZone)
    self.resolveDay()
  }

  private mutating func resolveDay() {
    let day = self.searchDate ?? self.today
    self.shownDay = day
    self.interval = day.interval(in: self.timeZone)
    self.clock = self.timeZone.simplified(in: self.interval)
  }
}

extension QuakesLocal {
  /// Shows the day of an earthquake in the window's time zone.
  mutating func showDay(of quake: Quake) {
    self.searchDate = CalendarDay(of: quake.time, in: self.timeZone)
    self.resolveDay()
  }

  /// The search that decides which earthquakes the window shows. Texts that find the same share it,
  /// and the rendered result.
  var search: QuakeList.Search {
    QuakeList.Search(
      text: SearchText(self.searchText),
      day: self.shownDay ?? self.today,
      interval: self.interval,
      minimum: self.minimumMagnitude,
      clock: self.clock
    )
  }

  /// The days with a bar.
  var days: DaySpan {
    DaySpan(with: self.shownDay ?? self.today, today: self.today, in: self.timeZone)
  }

  var sort: QuakeList.Sort {
    QuakeList.Sort(parameter: self.sortParameter, order: self.sortOrder)
  }
}

// Changes by links.
extension LocalChange<QuakesLocal> {
  /// Selects in the list; the map follows, and its camera moves there.
  mutating func select(inList quake: Quake) {
    self.select(inMap: quake)
    self.camera = .on(quake.mapPoint)
  }

  /// Selects only this one, so that everyone who opens the URL sees it.
  mutating func showOnly(_ quake: Quake, in timeZone: TimeZone) {
    self.searchText = ""
    self.minimumMagnitude = .all
    self.searchDate = CalendarDay(of: quake.time, in: timeZone)
    self.sharedSelection = quake.id
    self.select(inList: quake)
  }

  mutating func deselect() {
    self.listSelection = nil
    self.mapSelection = nil
  }

  /// Selects on the map; the list follows.
  mutating func select(inMap quake: Quake) {
    self.listSelection = quake.id
    self.mapSelection = quake.id
  }

  /// Shows a day. The URL does not contain today's date, so that tomorrow it shows the new day.
  mutating func show(_ day: CalendarDay, today: CalendarDay) {
    self.searchDate = day == today ? nil : day
  }
}
