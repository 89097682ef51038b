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
