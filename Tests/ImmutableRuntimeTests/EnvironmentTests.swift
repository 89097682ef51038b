import Fixture
import Foundation
import HTMLTemplates
import ImmutableData
import ImmutableRuntime
import ImmutableUI
import Testing
import WindowTesting

/// A page with a form that adds an item with the name of what its fields mean.
private struct Appointments: Root, ImmutableUI.Presenter {
  typealias State = FixtureState

  init(_ local: NoLocalState) {}

  static let day = Field.date("day", "Choose a day.")
  static let time = Field.time("time", "Choose a time.")
  static let add = Form<FixtureAction>("add", fields: day, time, .timeZone) { day, time, timeZone in
    .ui(.onTapAddButton(id: "a", name: day.date(at: time, in: timeZone).formatted(.iso8601)))
  }

  static let template = Template<Self>(
    named: "Appointments",
    [.form("add", Self.add), .field("day", Self.day), .field("time", Self.time)]
  )
}

/// A page that shows which day it is where its window is.
private struct Today: Root {
  typealias State = FixtureState

  struct Local: LocalState {
    var isBold = false
    var day = 0

    static let parameters: [Parameter<Self>] = [Parameter("bold", \.isBold)]

    mutating func resolve(in environment: WindowEnvironment) {
      var calendar = Calendar(identifier: .gregorian)
      calendar.timeZone = environment.timeZone
      self.day = calendar.component(.day, from: environment.date)
    }
  }

  private let day: Int

  init(_ local: Local) {
    self.day = local.day
  }

  var body: some Component {
    Presenter(day: self.day)
  }
}

private struct Presenter: ImmutableUI.Presenter {
  let day: Int

  static let template = Template<Self>(named: "Today", [.text("day") { $0.day }])
}

@MainActor struct EnvironmentTests {
  /// 6 February 2018, 12:00 UTC.
  private static let noon = Date(timeIntervalSince1970: 1_517_918_400)
  private static let kiribati = WindowEnvironment(
    timeZone: TimeZone(secondsFromGMT: 14 * 3_600)!,
    date: Self.noon
  )
  private static let utc = WindowEnvironment(timeZone: .gmt, date: Self.noon)

  private let windows: WindowGroup

  init() throws {
    let store = Store(initialState: FixtureState(), reducer: FixtureReducer.reduce)
    self.windows = try WindowGroup(
      templates: TemplateLibrary(sources: ["Today": "<p>{{day}}</p>"])
    ) {
      Provider(store) { Page(Today.self, at: "/today", title: "Today") }
    }
  }

  private func page(
    _ environment: WindowEnvironment,
    _ query: String = ""
  ) async throws -> String? {
    let page = try await self.windows.page(
      "/today",
      query: Query(query),
      environment: environment
    )
    guard case .content(let content) = page else { return nil }
    return String(decoding: content.html, as: UTF8.self)
  }

  @Test func `a page shows the day of its own time zone, which is not in its URL`() async throws {
    #expect(try await self.page(Self.utc)?.contains("<p>6</p>") == true)
    #expect(try await self.page(Self.kiribati)?.contains("<p>7</p>") == true)
  }

  @Test func `windows share a render if their days are the same, whatever the time`() async throws {
    let later = WindowEnvironment(timeZone: .gmt, date: Self.noon + 3_600)
    _ = try await self.page(Self.utc)
    let before = self.windows.counts.regionRenders

    _ = try await self.page(later)
    #expect(self.windows.counts.regionRenders == before)
    _ = try await self.page(Self.kiribati)

    #expect(self.windows.counts.regionRenders == before + 1)
  }

  @Test func `a form has the time zone of its window, whatever a client posts`() async throws {
    let store = Store(initialState: FixtureState(), reducer: FixtureReducer.reduce)
    let app = try TestApp(
      templates: TemplateLibrary(sources: [
        "Appointments": "{{#add}}<input {{day}}><input {{time}}><button>Add</button>{{/add}}"
      ])
    ) {
      Provider(store) { Page(Appointments.self, at: "/", title: "Appointments") }
    }
    let berlin = try #require(TimeZone(identifier: "Europe/Berlin"))
    let window = try await app.open("/", environment: WindowEnvironment(timeZone: berlin))

    try await window.submit(
      "add", ["day": "2026-11-26", "time": "18:30", "_timeZone": "Asia/Tokyo"])

    #expect(store.state.items.map(\.name) == ["2026-11-26T17:30:00Z"])
  }

  @Test func `a form has the visitor of its window, and one that a client posts is refused`()
    async throws
  {
    let store = Store(initialState: FixtureState(), reducer: FixtureReducer.reduce)
    let app = try TestApp(templates: .fixture) { Provider(store) { Guests.page } }
    let ann = Visitor(rawValue: "ann")
    let window = try await app.open("/guests", environment: WindowEnvironment(visitor: ann))
    let other = try await app.open("/guests")

    try await window.submit("sign")
    let answer = try await other.submit("sign", ["_visitor": "ann"])

    #expect(answer.refusal?.kind == .invalid)
    #expect(store.state.guests.map(\.visitor) == [ann])
    try await window.expect("ann You")
    try await other.expect("ann")
    #expect(other.text.contains("You") == false)
    try await app.finish()
  }

  @Test func `windows share a visitor if they share a session`() async throws {
    let store = Store(initialState: FixtureState(), reducer: FixtureReducer.reduce)
    let app = try TestApp(templates: .fixture) { Provider(store) { Guests.page } }
    let session = Identifier()

    let window = try await app.open("/guests", session: session)

    #expect(try await app.open("/guests", session: session).visitor == window.visitor)
    #expect(try await app.open("/guests").visitor != window.visitor)
    try await app.finish()
  }

  @Test func `windows at one URL on different days are at different places`() async throws {
    let session = Identifier()
    for environment in [Self.utc, Self.kiribati] {
      let stream = Identifier()
      _ = try self.windows.openStream(stream, session: session)
      _ = try await self.windows.join(
        stream: stream,
        session: session,
        at: "/today",
        navigation: 1,
        tags: [:],
        environment: environment
      )
    }

    #expect(await self.windows.cachedRegionCount == 2)
  }
}
