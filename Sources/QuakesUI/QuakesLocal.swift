import Foundation
public import ImmutableUI
import QuakesData

/// What one window of the earthquakes has for itself: what is looked for, how it is sorted, what is
/// selected, where the map's camera is, whether charts show.
///
/// Source: the guide, chapter QuakesUI (the `@State` and `@Binding` of its components).
public struct QuakesLocal: LocalState {
  var searchText = ""
  /// `nil`: today.
  var searchDate: CalendarDay?
  var minimumMagnitude = MinimumMagnitude.all
  var sortOrder = QuakeList.SortOrder.reverse
  var sortParameter = QuakeList.SortParameter.time
  /// With which earthquake the part of a long list begins that shows; `nil`: with the first of all.
  var start: ListPart.Start<Quake.ID>?
  var listSelection: Quake.ID?
  var mapSelection: Quake.ID?
  var showsCharts = false
  /// Only pages have it, and browsers.
  var camera = MapCamera.world
  /// Until when of the day earthquakes show; `nil`: of the whole day. Only pages have it, and browsers.
  var until: ClockTime?

  // What the URL does not say.
  private(set) var timeZone = TimeZone.gmt
  private(set) var today = CalendarDay(of: .distantPast, in: .gmt)
  /// The day that shows, which is the key of its bar; when it is that day, and what clocks say then.
  var shownDay: CalendarDay?
  private var interval = Date.distantPast..<Date.distantPast
  private var clock = TimeZone.gmt

  public init() {}

  public static let parameters: [Parameter<Self>] = [
    Parameter(Self.searchField, \.searchText, limit: SearchText.byteLimit).personal(),
    Parameter(Self.dateField, \.searchDate),
    Parameter("magnitude", \.minimumMagnitude),
    Parameter("order", \.sortOrder),
    Parameter("sort", \.sortParameter),
    Parameter("from", \.start),
    Parameter("list", \.listSelection),
    Parameter("map", \.mapSelection),
    Parameter("charts", \.showsCharts),
    Parameter("camera", \.camera).late(),
    Parameter("until", \.until).late(),
  ]

  static let searchField = Field.text("search", .search, limit: SearchText.characterLimit)
  static let dateField = Field<CalendarDay>.date("date", "Enter a date.")

  public mutating func resolve(in environment: WindowEnvironment) {
    self.timeZone = environment.timeZone
    self.today = CalendarDay(of: environment.date, in: environment.timeZone)
    let day = self.searchDate ?? self.today
    self.shownDay = day
    self.interval = day.interval(in: self.timeZone)
    self.clock = self.timeZone.simplified(in: self.interval)
  }
}

extension QuakesLocal {
  /// What the window shows of all earthquakes. Texts that find the same share it, and what is rendered
  /// of it.
  var search: QuakeList.Search {
    QuakeList.Search(
      text: SearchText(self.searchText).folded,
      day: self.shownDay ?? self.today,
      interval: self.interval,
      minimum: self.minimumMagnitude,
      clock: self.clock
    )
  }

  /// The days that have a bar.
  var days: DaySpan {
    DaySpan(with: self.shownDay ?? self.today, today: self.today, in: self.timeZone)
  }

  var sort: QuakeList.Sort {
    QuakeList.Sort(parameter: self.sortParameter, order: self.sortOrder)
  }
}

// What links change.
extension LocalChange<QuakesLocal> {
  /// In the list: the map follows, and its camera goes there.
  mutating func select(inList quake: Quake) {
    self.select(inMap: quake)
    self.camera = .on(quake.mapPoint)
  }

  /// Alone, so that the URL shows it to whoever opens it.
  mutating func showOnly(_ quake: Quake, in timeZone: TimeZone) {
    self.search(for: "")
    self.show(from: .all)
    self.show(CalendarDay(of: quake.time, in: timeZone))
    self.select(inList: quake)
  }

  mutating func deselect() {
    self.listSelection = nil
    self.mapSelection = nil
  }

  /// On the map: the list follows.
  mutating func select(inMap quake: Quake) {
    self.listSelection = quake.id
    self.mapSelection = quake.id
  }

  mutating func show(_ day: CalendarDay) {
    self.searchDate = day
    self.start = nil
    self.until = nil
  }

  mutating func showToday() {
    self.searchDate = nil
    self.start = nil
    self.until = nil
  }

  mutating func show(from minimum: MinimumMagnitude) {
    self.minimumMagnitude = minimum
    self.start = nil
  }

  mutating func search(for text: String) {
    self.searchText = text
    self.start = nil
  }

  mutating func sort(_ order: QuakeList.SortOrder) {
    self.sortOrder = order
    self.start = nil
  }

  mutating func sort(by parameter: QuakeList.SortParameter) {
    self.sortParameter = parameter
    self.start = nil
  }
}
