import Fixture
import HTMLTemplates
import ImmutableData
import ImmutableRuntime
import ImmutableUI
import Testing
import WindowTesting

@MainActor struct WindowTests {
  @Test func `windows with different local state show the same data differently`() async throws {
    let fixture = try FixtureApp()
    let all = try await fixture.app.open("/fixture")
    let searching = try await fixture.app.open("/fixture?search=B")
    let reverse = try await fixture.app.open("/fixture?order=reverse")

    #expect(all.text.contains("3 items Ant Delete Ant Bee Delete Bee Cat"))
    #expect(searching.text.contains("1 items Bee"))
    #expect(reverse.text.contains("3 items Cat Delete Cat Bee Delete Bee Ant"))
    try fixture.store.dispatch(action: .data(.didRename(id: "bee", name: "Bumblebee")))
    try await all.expect("Ant Delete Ant Bumblebee")
    try await searching.expect("1 items Bumblebee")
    try await reverse.expect("Cat Delete Cat Bumblebee")
    try await fixture.app.finish()
  }

  @Test func `a window that shows nothing that changed is sent nothing`() async throws {
    let fixture = try FixtureApp()
    let window = try await fixture.app.open("/fixture?search=Ant")

    try fixture.store.dispatch(action: .data(.didRename(id: "cat", name: "Lion")))

    try await window.expectNothing()
    try await fixture.app.finish()
  }

  @Test func `a window that has moved shows something new`() async throws {
    let fixture = try FixtureApp()
    let window = try await fixture.app.open("/fixture")

    try await window.navigate(to: "/fixture?search=B")

    try await window.expect("1 items Bee")
    try await fixture.app.finish()
  }

  @Test func `a window that navigates to where it is is sent a change once`() async throws {
    let fixture = try FixtureApp()
    let window = try await fixture.app.open("/fixture")
    try fixture.store.dispatch(action: .ui(.onTapAddButton(id: "dog", name: "Dog")))

    try await window.navigate(to: "/fixture")

    try await window.expect("4 items Ant Delete Ant Bee Delete Bee Cat Delete Cat Dog")
    try await fixture.app.finish()
  }

  @Test func `the name of a list may have any characters`() async throws {
    let store = Store(
      initialState: FixtureState(items: .make("Ant", "Bee")), reducer: FixtureReducer.reduce)
    let templates = TemplateLibrary(sources: [
      "Shops":
        "{{#shops}}<ul data-list=\"{{items.list}}\">{{#items}}<li>{{name}}</li>{{/items}}</ul>{{/shops}}"
    ])
    let app = try TestApp(templates: templates) {
      Provider(store) { Page(Shops.self, at: "/shops", title: "Shops") }
    }
    let window = try await app.open("/shops")
    #expect(window.text.contains("Ant Bee"))

    try store.dispatch(action: .data(.didRename(id: "bee", name: "Bumblebee")))

    try await window.expect("Ant Bumblebee")
    try await app.finish()
  }

  @Test func `one changed row is one row on the wire`() async throws {
    let names = (0..<2_000).map { Item(id: "\($0)", name: "Row \(100_000 + $0)") }
    let fixture = try FixtureApp(names)
    let window = try await fixture.app.open("/fixture")
    let before = fixture.app.windows.counts

    try fixture.store.dispatch(action: .data(.didRename(id: "500", name: "Row 100500!")))
    let pushes = try await window.expect("Row 100500!")

    let counts = fixture.app.windows.counts - before
    #expect(counts.rowRenders == 1)
    #expect(counts.outputRuns == 3)
    #expect(pushes.count == 1)
    #expect(pushes[0].data.utf8.count < 700)
    #expect(pushes[0].data.contains(#"["set","500","#))
    try await fixture.app.finish()
  }

  @Test func `a hundred windows at one place cost one render and one difference`() async throws {
    let fixture = try FixtureApp()
    var windows: [TestWindow] = []
    for index in 0..<100 {
      windows.append(try await fixture.app.open("/fixture?search=\(index % 2 == 0 ? "a" : "b")"))
    }
    let before = fixture.app.windows.counts

    try fixture.store.dispatch(action: .ui(.onTapTickButton))
    for window in windows {
      try await window.expect("Ticks: 1")
    }

    let counts = fixture.app.windows.counts - before
    #expect(counts.regionRenders == 2)
    #expect(counts.diffs == 2)
    try await fixture.app.finish()
  }

  @Test func `selecting a row does not render the list again`() async throws {
    let fixture = try FixtureApp()
    _ = try await fixture.app.open("/fixture")
    let before = fixture.app.windows.counts

    let window = try await fixture.app.open("/fixture?selected=bee")

    let counts = fixture.app.windows.counts - before
    #expect(counts.rowRenders == 0)
    #expect(counts.regionRenders == 2)
    #expect(
      window.page.contains(#"<li data-key="bee" data-overlay="aria-current" aria-current="true">"#))
    #expect(window.text.hasSuffix("Bee"))
    try await fixture.app.finish()
  }

  @Test func `deleting a selected item moves the window and replaces its URL`() async throws {
    let fixture = try FixtureApp()
    let window = try await fixture.app.open("/fixture?search=e&selected=bee")
    let other = try await fixture.app.open("/fixture")

    try await other.submit("delete", ["id": "bee"])

    let pushes = try await window.expect("Select an item")
    #expect(pushes.map(\.event) == ["move"])
    #expect(window.url == "/fixture?search=e")
    try await other.expect("2 items")
    try await fixture.app.finish()
  }

  @Test func `parameters that do not parse are ignored`() async throws {
    let fixture = try FixtureApp()

    let window = try await fixture.app.open("/fixture?order=sideways&selected=nobody&x=1")

    #expect(window.url == "/fixture")
    #expect(window.text.contains("3 items Ant"))
    try await fixture.app.finish()
  }

  @Test func `navigating sends only what the window does not have`() async throws {
    let fixture = try FixtureApp()
    let window = try await fixture.app.open("/fixture")

    try await window.navigate(to: "/fixture?order=reverse&selected=ant")

    #expect(window.url == "/fixture?order=reverse&selected=ant")
    #expect(window.text.contains("Cat Delete Cat Bee Delete Bee Ant"))
    #expect(window.text.hasSuffix("Ant"))
    try fixture.store.dispatch(action: .ui(.onTapTickButton))
    try await window.expect("Ticks: 1")
    try await fixture.app.finish()
  }

  @Test func `a window that read nothing while its selection was deleted catches up with its URL`()
    async throws
  {
    let fixture = try FixtureApp()
    let window = try await fixture.app.open("/fixture?selected=ant")
    await window.hold(true)
    try fixture.store.dispatch(action: .ui(.onTapDeleteButton(id: "ant")))
    try await window.expectNothing()
    #expect(window.url == "/fixture?selected=ant")

    await window.hold(false)

    try await window.expect("2 items Bee")
    #expect(window.url == "/fixture")
    try await fixture.app.finish()
  }

  @Test func `the stream that posted gets an event even when nothing changed`() async throws {
    let fixture = try FixtureApp()
    let window = try await fixture.app.open("/fixture?search=Ant")

    try await window.submit("delete", ["id": "cat"])
    let pushes = try window.receive()

    #expect(pushes.map(\.event) == ["version"])
    #expect(pushes.map(\.version) == [1])
    try await fixture.app.finish()
  }

  @Test func `a post that changes nothing in its window leaves nothing unexpected`() async throws {
    let fixture = try FixtureApp()
    let window = try await fixture.app.open("/fixture?search=Ant")

    try await window.submit("delete", ["id": "cat"])

    try await fixture.app.finish()
  }

  @Test func `an unexpected push fails the test`() async throws {
    let fixture = try FixtureApp()
    _ = try await fixture.app.open("/fixture")

    try fixture.store.dispatch(action: .ui(.onTapTickButton))

    await #expect(throws: WindowTestError.self) { try await fixture.app.finish() }
  }
}

extension WindowTests {
  @Test func `pages without open windows are evicted`() async throws {
    var configuration = WindowGroup.Configuration()
    configuration.unusedRenderBytes = 200_000
    let fixture = try FixtureApp(configuration: configuration)
    let window = try await fixture.app.open("/fixture")

    for number in 0..<1_000 {
      _ = try await fixture.app.windows.page("/fixture", query: Query("search=\(number)"))
    }

    #expect(await fixture.app.windows.cachedRegionCount < 300)
    #expect(await fixture.app.windows.memoCount < 600)
    try fixture.store.dispatch(action: .ui(.onTapTickButton))
    try await window.expect("Ticks: 1")
    try await fixture.app.finish()
  }
}

private struct Shops: Root {
  typealias State = FixtureState

  @ImmutableUI.Selector(label: "items", outputSelector: FixtureState.selectItems())
  private var items: [Item]

  init(_ local: NoLocalState = NoLocalState()) {}

  var body: some Component { ShopsPresenter(items: self.items) }
}

private struct ShopsPresenter: Presenter {
  static let template = Template<Self>(
    named: "Shops",
    [
      .each(
        "shops",
        [.rows("items", list: { "items of \($0) & <Sons'>" }, [.text("name", \.name)]) { $0.items }]
      ) { model in [Shop(items: model.items)] }
    ]
  )

  let items: [Item]
}

private struct Shop: CustomStringConvertible, Sendable {
  let description = "Tom's \"Shop\""
  let items: [Item]
}
