import Fixture
import HTMLTemplates
import ImmutableData
import ImmutableRuntime
import ImmutableUI
import Testing
import WindowTesting

/// Pages whose paths have parameters.
@MainActor struct PathTests {
  private let app: TestApp

  init() throws {
    let store = Store(
      initialState: FixtureState(items: .make("Ant", "Bee", "Cat")),
      reducer: FixtureReducer.reduce
    )
    self.app = try TestApp(templates: .fixture) {
      Provider(store) {
        FixtureContent.itemsPage
        Board.page
      }
    }
  }

  private func page(_ path: String, _ query: String = "") async throws -> PageAnswer {
    try await self.app.windows.page(path, query: Query(query))
  }

  private func redirect(_ path: String, _ query: String = "") async throws -> String? {
    if case .redirect(let url) = try await self.page(path, query) { url } else { nil }
  }

  private func content(_ path: String, _ query: String = "") async throws -> PageContent? {
    if case .content(let content) = try await self.page(path, query) { content } else { nil }
  }

  @Test func `a path names the selection, and links change it`() async throws {
    let window = try await self.app.open("/items/bee?order=reverse")

    #expect(window.html.contains("<h2 id=\"detail\">Bee</h2>"))
    #expect(window.page.contains("href=\"/items/ant?order=reverse\""))
    #expect(window.page.contains("href=\"/items/bee\""))
    try await self.app.finish()
  }

  @Test(
    arguments: [
      ("/items", "selected=bee", "/items/bee"),
      ("/items/bee", "selected=ant", "/items/ant"),
      ("/items/b%65e", "", nil),
      ("/items/bee", "x=1", nil),
      ("/items", "selected=nobody", "/items"),
    ] as [(String, String, String?)])
  func `one local state has one URL`(path: String, query: String, url: String?) async throws {
    #expect(try await self.redirect(path, query) == url)
    if let url { #expect(try await self.redirect(url) == nil) }
  }

  @Test
  func `a path to a missing item is marked missing and shows the closest page`()
    async throws
  {
    let content = try #require(await self.content("/items/nobody", "search=e"))

    #expect(content.isMissing)
    #expect(String(decoding: content.html, as: UTF8.self).contains("Select an item"))
    #expect(try await self.content("/items/bee")?.isMissing == false)
    #expect(try await self.content("/items")?.isMissing == false)
  }

  @Test func `a window whose selection was deleted moves to the path without it`() async throws {
    let window = try await self.app.open("/items/bee?order=reverse")

    try await window.submit("delete", ["id": "bee"])
    try await window.expect("Select an item")

    #expect(window.url == "/items?order=reverse")
    try await self.app.finish()
  }

  @Test func `the answer to a post has the URL of its window`() async throws {
    let window = try await self.app.open("/items/bee")

    let answer = try await window.submit("tick")

    guard case .accepted(let acceptance) = answer else {
      Issue.record("\(answer)")
      return
    }
    #expect(acceptance.url == "/items/bee")
    try await window.expect("Ticks: 1")
  }

  @Test func `a link to another page includes its local state`() async throws {
    let window = try await self.app.open("/board?isUrgent=true")

    #expect(window.page.contains("<a id=\"item\" href=\"/items/item-1?order=reverse\">"))
    #expect(FixtureContent.itemsPage.url() == "/items")
    #expect(FixtureContent.itemsPage.url { $0.selected = "a b" } == "/items/a%20b")
    try await self.app.finish()
  }

  @Test func `a link to a page that is not provided stops the start`() throws {
    let store = Store(initialState: FixtureState(), reducer: FixtureReducer.reduce)

    let error = #expect(throws: TemplateError.self) {
      _ = try TestApp(templates: .fixture) {
        Provider(store) {
          // The board links to it at another path.
          FixtureContent.page(at: "/items/:selected")
          Board.page
        }
      }
    }

    #expect(
      error?.description == "Fixture/Board.mustache:29:17: no page is provided at "
        + "\"/items/:selected?\". There are: /items/:selected, /board"
    )
  }

  @Test func `navigation links to a page without its parameters`() throws {
    let store = Store(initialState: FixtureState(), reducer: FixtureReducer.reduce)
    let app = try TestApp(templates: .fixture) {
      Provider(store) {
        FixtureContent.page(at: "/some/:selected?")
        FixtureContent.page(at: "/one/:selected")
      }
    }

    #expect(app.windows.links.map(\.path) == ["/some"])
  }

  /// A page that exists only for an item.
  private func required() throws -> TestApp {
    let store = Store(
      initialState: FixtureState(items: .make("Ant", "Bee", "Cat")),
      reducer: FixtureReducer.reduce
    )
    return try TestApp(templates: .fixture) {
      Provider(store) { FixtureContent.page(at: "/items/:selected") }
    }
  }

  @Test func `a window whose item was deleted keeps its path, if the path requires one`()
    async throws
  {
    let app = try self.required()
    let window = try await app.open("/items/bee?order=reverse")

    try await window.submit("delete", ["id": "bee"])
    try await app.frame()
    _ = try window.receive()

    #expect(window.url == "/items/bee?order=reverse")
    // It can still be used.
    try await window.submit("tick")
    try await window.expect("Ticks: 1")
    let answer = try await app.windows.page("/items/bee", query: Query())
    guard case .content(let content) = answer else {
      Issue.record("\(answer)")
      return
    }
    #expect(content.isMissing)
    try await app.finish()
  }

  @Test func `a path without what it requires is no page`() async throws {
    let app = try self.required()

    await #expect(throws: WindowError.self) { try await app.windows.page("/items", query: Query()) }
    await #expect(throws: WindowError.self) {
      // It is too long to be an item.
      try await app.windows.page("/items/\(String(repeating: "a", count: 300))", query: Query())
    }
  }

  @Test func `a value that is written in another way is not missing`() async throws {
    let app = try self.numbered()

    guard case .redirect(let url) = try await app.windows.page("/numbers/007", query: Query())
    else {
      Issue.record("007 is not redirected")
      return
    }
    #expect(url == "/numbers/7")
    await #expect(throws: WindowError.self) {
      try await app.windows.page("/numbers/seven", query: Query())
    }
    try await app.finish()
  }

  @Test func `a part of a path may have a meaning only with an earlier one`() async throws {
    struct Notes: Root {
      typealias State = FixtureState

      struct Local: LocalState {
        var folder: String?
        var note: String?

        static let parameters: [Parameter<Self>] = [
          Parameter("folder", \.folder), Parameter("note", \.note).when { $0.folder != nil },
        ]
      }

      init(_ local: Local) {}
      var body: some Component { PlainPresenter() }
    }
    let store = Store(initialState: FixtureState(), reducer: FixtureReducer.reduce)
    let templates = TemplateLibrary(sources: ["Plain": "<p>Notes</p>"])
    let app = try TestApp(templates: templates) {
      Provider(store) { Page(Notes.self, at: "/notes/:folder?/:note?", title: "Notes") }
    }

    let answer = try await app.windows.page("/notes/a/b", query: Query())

    guard case .content(let content) = answer else {
      Issue.record("\(answer)")
      return
    }
    #expect(content.isMissing == false)
    try await app.finish()
  }

  private struct Numbered: Root {
    typealias State = FixtureState

    struct Local: LocalState {
      var number: Int?

      static let parameters: [Parameter<Self>] = [Parameter("number", \.number)]
    }

    static var page: Page<Self> { Page(Self.self, at: "/numbers/:number", title: "Numbers") }

    let number: Int?

    init(_ local: Local) { self.number = local.number }

    var body: some Component { NumberedPresenter(number: self.number) }
  }

  private struct NumberedPresenter: Presenter {
    static let template = Template<Self>(
      named: "Numbered",
      [
        .optionalText("number") { $0.number?.description },
        .link("next", to: Numbered.page) { local, model in
          if let number = model.number, number < 9 { local.number = number + 1 }
        },
      ]
    )

    let number: Int?
  }

  private struct PlainPresenter: Presenter {
    static let template = Template<Self>(named: "Plain", [])
  }

  /// A page whose link to the next number has none after 9.
  private func numbered() throws -> TestApp {
    let store = Store(initialState: FixtureState(), reducer: FixtureReducer.reduce)
    let templates = TemplateLibrary(sources: ["Numbered": "<p>{{number}}</p><a {{next}}>Next</a>"])
    return try TestApp(templates: templates) {
      Provider(store) { Numbered.page }
    }
  }

  @Test func `a link without what its path requires is a mistake`() async throws {
    let app = try self.numbered()
    let window = try await app.open("/numbers/8")
    #expect(window.page.contains("href=\"/numbers/9\""))
    try await app.finish()

    await #expect(throws: WindowTestError.self) {
      _ = try await app.open("/numbers/9")
      try await app.finish()
    }
  }

  @Test func `only an optional parameter of a path has a default value`() async throws {
    struct Defaulted: Root {
      typealias State = FixtureState

      struct Local: LocalState {
        var board = "today"

        static let parameters: [Parameter<Self>] = [Parameter("board", \.board)]
      }

      init(_ local: Local) {}
      var body: some Component { PlainPresenter() }
    }
    await #expect(processExitsWith: .failure) {
      _ = Page(Defaulted.self, at: "/boards/:board", title: "Boards")
    }
    let store = Store(initialState: FixtureState(), reducer: FixtureReducer.reduce)
    let templates = TemplateLibrary(sources: ["Plain": "<p>Boards</p>"])
    let app = try TestApp(templates: templates) {
      Provider(store) { Page(Defaulted.self, at: "/boards/:board?", title: "Boards").unlisted() }
    }
    guard case .redirect(let url) = try await app.windows.page("/boards/today", query: Query())
    else {
      Issue.record("the default is not left out")
      return
    }
    #expect(url == "/boards")
  }

  @Test func `pages with overlapping paths stop the start`() throws {
    let store = Store(initialState: FixtureState(), reducer: FixtureReducer.reduce)

    let error = #expect(throws: WindowError.self) {
      _ = try TestApp(templates: .fixture) {
        Provider(store) {
          FixtureContent.page(at: "/items/:selected")
          FixtureContent.page(at: "/items/new")
        }
      }
    }

    #expect(
      error?.message == "A path can be both /items/:selected and /items/new. Give one of these "
        + "pages another path."
    )
  }
}
