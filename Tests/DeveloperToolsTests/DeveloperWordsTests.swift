import AnimalsData
import AnimalsUI
import CounterData
import Foundation
import HTMLTemplates
import ImmutableData
import ImmutableRuntime
import ImmutableUI
import TestSupport
import Testing
import WindowTesting

@testable import DeveloperTools

/// What the developer pages say about what is not there, or is written in another way.
@MainActor struct DeveloperWordsTests {
  private func regions(of url: String, in fixture: DeveloperFixture) -> [String: String] {
    fixture.app.regions(
      of: url, in: fixture.state, environment: WindowEnvironment(timeZone: .gmt, date: .noon))
  }

  @Test func `a difference from a state that is not recorded names no state`() async throws {
    let fixture = try await DeveloperFixture()
    let window = try await fixture.app.open("/counter")
    try await fixture.submit("increment", to: window)

    let unknown = self.regions(of: "/developer/state?product=Counter&since=99", in: fixture)
    let known = self.regions(of: "/developer/state?product=Counter&since=0", in: fixture)

    #expect(unknown["changes"]?.contains(">What changed</h2>") == true)
    #expect(
      known["changes"]?.contains(">What changed from the first recorded state to now</h2>") == true)
  }

  @Test(arguments: [(-5, 0), (0, 0), (150, 150), (250, 200), (1_000, 200), (Int.max, 200)])
  func `a part of a state that begins beyond its end begins with its last rows`(
    asked: Int, first: Int
  ) {
    var state = DeveloperState()
    state.presents["Sample"] = DeveloperState.Present(version: 0, state: Array(0..<250))

    let part = StatePart(of: "Sample", after: nil, at: Path(), from: asked, in: state)

    #expect(part.start == first)
    #expect(part.rows.first?.label == "\(first)")
    #expect(part.rows.count == min(100, 250 - first))
  }

  @Test(arguments: [
    ("/counter", "/counter"), ("http://127.0.0.1:8080/counter?a=b#top", "/counter?a=b"),
    ("https://example.com", "/"), ("counter", "counter"), ("ftp://a/b", "ftp://a/b"), ("", ""),
  ])
  func `an address from a browser's address bar names a page`(address: String, path: String) {
    #expect(address.pathOfPage == path)
  }

  @Test(arguments: ["time?", "fork?plan=1&"])
  func `a page can be asked for with its whole address`(page: String) async throws {
    let fixture = try await DeveloperFixture()
    let window = try await fixture.app.open("/counter")
    try await fixture.submit("increment", to: window)
    let url = "/developer/\(page)url="

    let whole = self.regions(of: "\(url)http%3A%2F%2F127.0.0.1%3A8080%2Fcounter", in: fixture)

    #expect(whole.isEmpty == false)
    #expect(whole["steps"] == self.regions(of: "\(url)%2Fcounter", in: fixture)["steps"])
    #expect(whole["outcome"] == self.regions(of: "\(url)%2Fcounter", in: fixture)["outcome"])
  }

  @Test func `the position of a selector without a label is said once`() async throws {
    var random = RandomActions(generator: SeededGenerator(seed: 1))
    let store = ImmutableData.Store(
      initialState: AnimalsState(), reducer: AnimalsReducer.reduceOrRefuse)
    let (app, developer) = try await Developer.beside(store) { AnimalsUI.Content.page() }
    for action in random.firstAnimals() { try store.dispatch(action: action) }
    let state = await developer.wait { $0.newest == 2 }

    let regions = app.regions(
      of: "/developer/time?url=/animals&region=animals", in: state,
      environment: WindowEnvironment(timeZone: .gmt))

    for name in ["causes", "region"] {
      let html = try #require(regions[name])
      let labels = html.matches(of: /<span>(AnimalsUI\/\w+\.swift:\d+):<\/span>/)
        .map { String($0.output.1) }
      #expect(labels.isEmpty == false)
      #expect(labels.filter { html.contains("<code>\($0)</code>") } == [])
    }
    #expect(regions["region"]?.contains(/did not run: [^<]*, checked in [\d.]+ (?:µs|ms)/) == true)
  }

  @Test func `an action that is null is refused in plain words`() throws {
    let json = Data("null".utf8)
    let error = try #require(throws: DecodingError.self) {
      _ = try JSONDecoder().decode(CounterAction.self, from: json)
    }

    #expect(DecodingProblem(error, in: json).description == "This must not be null.")
  }

  @Test(arguments: [true, false])
  func `the previews link to the same pages as the others`(dispatches: Bool) async throws {
    let fixture = try await DeveloperFixture(dispatches: dispatches)

    let page = try #require(try fixture.developer.pages.preview("/previews", Query()))

    let html = String(decoding: page.html, as: UTF8.self)
    #expect(html.contains("\"/developer/cost\""))
    #expect(html.contains("\"/developer/dispatch\"") == dispatches)
  }
}
