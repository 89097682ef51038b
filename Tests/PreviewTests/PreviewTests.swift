import CounterData
import CounterUI
import Foundation
import HTMLTemplates
import ImmutableData
import ImmutableRuntime
import ImmutableUI
import Testing
import WindowTesting

/// Every component has previews, and they look as they did when somebody last looked.
@MainActor struct PreviewTests {
  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  private static func snapshots(
    _ fixture: PreviewFixture,
    in folder: URL = Self.root.appending(path: "Tests/PreviewTests/Snapshots")
  ) -> PreviewSnapshots {
    PreviewSnapshots(of: fixture.app.windows, in: folder)
  }

  @Test func `previews match their snapshots`() async throws {
    let snapshots = Self.snapshots(try await PreviewFixture())

    let problems = try snapshots.problems()

    #expect(problems.isEmpty, "\(problems.joined(separator: "\n"))")
  }

  @Test func `every component has a preview`() async throws {
    let snapshots = Self.snapshots(try await PreviewFixture())

    #expect(try snapshots.componentsWithoutPreview(in: PreviewFixture.modules) == [])
  }

  /// Components that no page shows have templates too.
  @Test(arguments: PreviewFixture.modules.sorted())
  func `every template's component has a preview`(module: String) async throws {
    let snapshots = Self.snapshots(try await PreviewFixture())
    let files = try FileManager.default.contentsOfDirectory(
      atPath: Self.root.appending(path: "Templates/\(module)").path)

    let components = files.map { "\(module)/\($0.split(separator: ".")[0])" }

    #expect(components.isEmpty == false)
    #expect(Set(components).subtracting(try snapshots.componentsWithPreview) == [])
  }

  @Test func `missing snapshots are written, and differences are shown line by line`() async throws
  {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    let snapshots = Self.snapshots(try await PreviewFixture(), in: folder)
    let file = folder.appending(path: "CounterUI/CounterNumber/short.html")

    let missing = try snapshots.problems()
    let none = try snapshots.problems()
    let old = try String(contentsOf: file, encoding: .utf8)
    try Data(old.replacing(">7<", with: ">8<").utf8).write(to: file)
    try Data().write(to: folder.appending(path: "CounterUI/Other.html"))
    let problems = try snapshots.problems()

    #expect(missing.allSatisfy { $0.contains("was missing and has been written") })
    #expect(missing.count > 100)
    #expect(none == [])
    #expect(problems.count == 2)
    #expect(problems[0].hasPrefix("CounterUI/CounterNumber/short.html differs:\n- "))
    #expect(problems[0].contains(">8<") && problems[0].contains("\n+ "))
    #expect(problems[1] == "CounterUI/Other.html is of no preview: delete it")
  }

  private struct Unseen: Root {
    typealias State = CounterState

    init(_ local: NoLocalState) {}

    var body: some Component { CounterUI.Content() }
  }

  @Test func `a component without a preview is found`() throws {
    let store = Store(initialState: CounterState(), reducer: CounterReducer.reduce)
    let app = try TestApp(templates: TemplateLibrary(directory: "Templates")) {
      Provider(store) { Page(Unseen.self, at: "/", title: "Unseen") }
    }

    let snapshots = PreviewSnapshots(of: app.windows, in: Self.root)

    #expect(try snapshots.componentsWithoutPreview(in: ["PreviewTests"]).count == 1)
    #expect(try snapshots.componentsWithoutPreview(in: ["CounterUI"]) == [])
  }

  /// It has no template of its own.
  private struct Wrapper: Component, Previewed {
    static let previews: [Preview<Self>] = []

    var body: some Component { CounterUI.Content() }
  }

  private struct WrapperPage: Root {
    typealias State = CounterState

    static let assets: [Asset] = [.style("page.css")]

    init(_ local: NoLocalState) {}

    var body: some Component { Wrapper() }
  }

  /// Its state cannot be made.
  private struct Overflowing: Root, Previewed {
    typealias State = CounterState

    static let previews: [Preview<Self>] = [
      Preview(
        "Too far",
        in: PreviewStore(
          CounterState(.max), after: [.didTapIncrementButton], CounterReducer.reduceOrRefuse)),
      Preview(
        "Too far, and back",
        in: PreviewStore(
          CounterState(.max), after: [.didTapIncrementButton], CounterReducer.reduceOrRefuse
        ).after([.didTapDecrementButton], CounterReducer.reduceOrRefuse)),
    ]

    init(_ local: NoLocalState) {}

    var body: some Component { CounterUI.Content() }
  }

  @Test func `a preview whose action is refused says so, and the others are compared`() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    let store = Store(initialState: CounterState(), reducer: CounterReducer.reduce)
    let app = try TestApp(templates: TemplateLibrary(directory: "Templates")) {
      Provider(store) { Page(Overflowing.self, at: "/", title: "Overflowing") }
    }

    let problems = try PreviewSnapshots(of: app.windows, in: folder).problems()

    let failures = problems.filter { $0.contains("cannot be shown") }
    let reason = "The reducer refuses an action of this preview: Error(code: "
    #expect(failures.count == 2)
    #expect(failures[0].hasPrefix("PreviewTests/Overflowing/too-far cannot be shown. \(reason)"))
    #expect(
      failures[1].hasPrefix("PreviewTests/Overflowing/too-far-and-back cannot be shown. \(reason)"))
    #expect(problems.contains { $0.hasPrefix("CounterUI/Content/zero.html was missing") })
  }

  @Test func `a component's preview has the style sheets of the page that shows it`() throws {
    let templates = TemplateSet(library: TemplateLibrary(directory: "Templates"))

    try templates.prepareOnce(WrapperPage.self)

    #expect(templates.assets(around: Wrapper.self).contains(.style("page.css")))
    #expect(templates.assets(around: CounterUI.Content.self).contains(.style("page.css")))
    #expect(templates.assets(around: Self.Unseen.self) == [])
  }
}

/// The pages at `/previews`.
@MainActor struct PreviewPagesTests {
  @Test func `the list links to every preview, and each preview to every appearance`()
    async throws
  {
    let fixture = try await PreviewFixture()

    let list = try fixture.html("/previews")
    let links = list.matches(of: /href="(\/previews\/[^"]+)"/).map { String($0.output.1) }

    #expect(links.count > 100)
    for link in links {
      let page = try fixture.html(link)
      let frames = page.matches(of: /<iframe src="([^"]+)"/).map { String($0.output.1) }
      #expect(frames.count == Appearance.allCases.count)
      for frame in frames { #expect(try fixture.html(frame).isEmpty == false) }
    }
  }

  @Test func `inputs edit local state, and a link can clear them`()
    async throws
  {
    let fixture = try await PreviewFixture()
    let path = "/previews/AnimalsUI/AnimalEditor/new/bare"

    #expect(try fixture.html(path).contains("<h2 id=\"editor-title\">Add animal</h2>"))
    #expect(try fixture.html(path).contains("href=\"?_inputs=yes\""))
    #expect(try fixture.html("\(path)?_inputs=yes").contains("With these inputs nothing shows."))
  }

  @Test func `a field shows what was entered, or its choices`() async throws {
    let fixture = try await PreviewFixture()

    let page = try fixture.html(
      "/previews/AnimalsUI/AnimalList/a-category?_inputs=yes&category=Bird&order=own")

    #expect(page.contains("<input name=\"category\" value=\"Bird\""))
    #expect(page.contains("<option value=\"own\" selected>own</option>"))
    #expect(page.contains("<option value=\"name\">name</option>"))
    #expect(page.contains("src=\"/previews/AnimalsUI/AnimalList/a-category/dark?_inputs=yes&amp;"))
    let bare = try fixture.html(
      "/previews/AnimalsUI/AnimalList/a-category/dark?_inputs=yes&category=Bird&order=own")
    #expect(bare.contains("House sparrow"))
    #expect(bare.contains("Red kangaroo") == false)
  }

  @Test(arguments: [
    "/previews/", "/previews/CounterUI", "/previews/CounterUI/Content", "/previews/a/b/c",
    "/previews/CounterUI/Content/zero/sideways", "/previews/CounterUI/Content/zero/bare/x",
  ])
  func `any other path is not found`(path: String) async throws {
    let fixture = try await PreviewFixture()

    #expect(throws: CocoaError.self) { try fixture.html(path) }
  }
}
