import Foundation
public import ImmutableUI
import QuakesData

/// What one window of the earthquakes has for itself: what is looked for, how it is sorted, what is
/// selected, where the map's camera is.
///
/// Source: the guide, chapter QuakesUI (the `@State` and `@Binding` of its components).
public struct QuakesLocal: LocalState {
  var searchText = ""
  /// `nil`: today.
  var searchDate: CalendarDay?
  var sortOrder = QuakeList.SortOrder.forward
  var sortParameter = QuakeList.SortParameter.time
  /// Which part of a long list shows.
  var part = ListPart.Number.first
  var listSelection: Quake.ID?
  var mapSelection: Quake.ID?
  var sheet = Presented<Sheet>()
  /// Only pages have it, and browsers.
  var camera = MapCamera.world

  // What the URL does not say.
  private(set) var timeZone = TimeZone.gmt
  private(set) var today = CalendarDay(of: .distantPast, in: .gmt)

  public init() {}

  public static let parameters: [Parameter<Self>] = [
    Parameter(Self.searchField, \.searchText, limit: SearchText.byteLimit),
    Parameter(Self.dateField, \.searchDate),
    Parameter("order", \.sortOrder),
    Parameter("sort", \.sortParameter),
    Parameter(ListPart.parameter, \.part),
    Parameter("list", \.listSelection),
    Parameter("map", \.mapSelection),
    Parameter("sheet", \.sheet),
    Parameter("camera", \.camera).late(),
  ]

  static let searchField = Field.text("search", .search, limit: SearchText.characterLimit)
  static let dateField = Field<CalendarDay>.date("date", "Enter a date.")

  public mutating func resolve(in environment: WindowEnvironment) {
    self.timeZone = environment.timeZone
    self.today = CalendarDay(of: environment.date, in: environment.timeZone)
  }
}

extension QuakesLocal {
  /// What lies over the earthquakes.
  enum Sheet: String, Hashable, Sendable, LosslessStringConvertible {
    case deleteAll

    init?(_ description: String) {
      self.init(rawValue: description)
    }

    var description: String { self.rawValue }
  }

  /// What the window shows of all earthquakes. Texts that find the same share it, and what is rendered
  /// of it.
  var search: QuakeList.Search {
    let day = self.searchDate ?? self.today
    return QuakeList.Search(
      text: SearchText(self.searchText).folded,
      day: day,
      interval: day.interval(in: self.timeZone)
    )
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

  /// On the map: the list follows.
  mutating func select(inMap quake: Quake) {
    self.listSelection = quake.id
    self.mapSelection = quake.id
  }

  mutating func show(_ day: CalendarDay) {
    self.searchDate = day
    self.part = .first
  }

  mutating func sort(_ order: QuakeList.SortOrder) {
    self.sortOrder = order
    self.part = .first
  }

  mutating func sort(by parameter: QuakeList.SortParameter) {
    self.sortParameter = parameter
    self.part = .first
  }
}
