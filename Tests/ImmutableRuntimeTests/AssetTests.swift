import Fixture
import HTMLTemplates
import ImmutableData
import Testing

@testable import ImmutableRuntime
@testable import ImmutableUI

/// A page that shows a part which brings a script and a style.
private struct Whole: Root {
  typealias State = FixtureState

  static let assets: [Asset] = [.style("whole.css")]

  init(_ local: NoLocalState) {}

  var body: some Component { Presenter() }

  private struct Presenter: ImmutableUI.Presenter {
    static let template = Template<Self>(
      named: "Whole",
      [.component("part") { _ in Part() }, .region("again") { _ in Part() }]
    )
  }
}

/// Shows itself too, which does not go on for ever.
private struct Part: Component, Hashable {
  static let assets: [Asset] = [.module("part.js"), .style("whole.css")]

  var body: some Component { Presenter() }

  private struct Presenter: ImmutableUI.Presenter {
    static let assets: [Asset] = [.style("part.css")]
    static let template = Template<Self>(
      named: "Part",
      [.optional("more", [.component("part") { (_: Int) in Part() }]) { _ in nil }]
    )
  }
}

private struct Plain: Root {
  typealias State = FixtureState

  init(_ local: NoLocalState) {}

  var body: some Component { Presenter() }

  private struct Presenter: ImmutableUI.Presenter {
    static let template = Template<Self>(named: "Plain", [])
  }
}

/// The part alone.
private struct Single: Root {
  typealias State = FixtureState

  init(_ local: NoLocalState) {}

  var body: some Component { Part() }
}

@MainActor struct AssetTests {
  private let windows: WindowGroup

  init() throws {
    let store = Store(initialState: FixtureState(items: []), reducer: FixtureReducer.reduce)
    let templates = TemplateLibrary(sources: [
      "Whole": "<p>{{part}}</p>{{again}}", "Part": "{{#more}}{{part}}{{/more}}", "Plain": "<p></p>",
    ])
    self.windows = try WindowGroup(templates: templates) {
      Provider(store) {
        Page(Whole.self, at: "/whole", title: "Whole").listed(as: "All of it")
        Page(Plain.self, at: "/plain", title: "Plain")
        Page(Single.self, at: "/single", title: "Single").unlisted()
      }
    }
  }

  nonisolated private static let part: [Asset] = [
    .module("part.js"), .style("whole.css"), .style("part.css"),
  ]

  @Test(
    arguments: [
      (
        "/whole",
        [Asset.style("whole.css"), .module("part.js"), .style("part.css")]
      ),
      ("/plain", []),
      ("/single", Self.part),
    ]
  )
  func `a page has the assets of its components, each once`(
    path: String,
    assets: [Asset]
  ) async throws {
    let answer = try await self.windows.page(path, query: Query(""))

    guard case .content(let content) = answer else {
      Issue.record("\(path) redirects")
      return
    }
    #expect(content.assets == assets)
  }

  @Test func `an asset is in the folder of its module`() {
    #expect(Asset.module("part.js").path == "ImmutableRuntimeTests/part.js")
    #expect(self.windows.assets == Set(Self.part))
  }

  @Test func `a window that navigates to another page is sent that page's assets`() async throws {
    let (shows, continuation) = AsyncStream.makeStream(of: String.self)
    self.windows.connect { commands in
      for case .show(let show) in commands {
        continuation.yield(String(decoding: show.event.bytes, as: UTF8.self))
      }
    }
    var events = shows.makeAsyncIterator()
    let (stream, session) = (Identifier(), Identifier())
    _ = try self.windows.openStream(stream, session: session)
    let window = try await self.windows.join(
      stream: stream, session: session, at: "/plain", navigation: 1, tags: [:])
    let plain = try #require(await events.next())

    try await self.windows.navigate(
      window, session: session, to: "/single", navigation: 2, tags: nil)

    let single = try #require(await events.next())
    #expect(plain.contains("assets") == false)
    #expect(
      single.contains(
        #""assets":["ImmutableRuntimeTests/part.js","ImmutableRuntimeTests/whole.css","ImmutableRuntimeTests/part.css"]"#
      )
    )
  }

  @Test func `navigation links to the listed pages in declaration order`() {
    #expect(self.windows.links.map(\.path) == ["/whole", "/plain"])
    #expect(self.windows.links.map(\.label) == ["All of it", "Plain"])
  }
}
