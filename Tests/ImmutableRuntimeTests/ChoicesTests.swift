import Fixture
import HTMLTemplates
import ImmutableData
import ImmutableRuntime
import ImmutableUI
import Testing
import WindowTesting

private enum Sort: String, CaseIterable, Sendable {
  case name, time
}

private struct Local: LocalState {
  var sort = Sort.name
  var shop: String?
  var begins: TimeOfDay?

  static let parameters: [Parameter<Self>] = [
    Parameter("sort", \.sort), Parameter("shop", \.shop),
    Parameter(Self.begins, \.begins).reset(by: \.shop),
  ]

  static let begins = Field.time("begins", "Choose a time.")
}

/// Links of which one is chosen, and a time.
private struct Filters: Root, Presenter {
  typealias State = FixtureState

  let local: Local

  init(_ local: Local) { self.local = local }

  static let template = Template<Self>(
    named: "Filters",
    [
      .choices("sort", \Local.sort) { $0.local.sort },
      .choices("labelled", \Local.sort, label: { $0.rawValue.uppercased() }) { $0.local.sort },
      .choices("shop", \Local.shop, of: { _ in [nil, "Fish"] }, label: { $0 ?? "All" }) {
        $0.local.shop
      },
      .localForm("filter", Local.self),
      .field("begins", Local.begins),
    ])
}

struct ChoicesTests {
  private func open(_ template: String, _ url: String) async throws -> String {
    let store = await Store(initialState: FixtureState(), reducer: FixtureReducer.reduce)
    let app = try TestApp(templates: TemplateLibrary(sources: ["Filters": template])) {
      Provider(store) { Page(Filters.self, at: "/filters", title: "Filters") }
    }
    let window = try await app.open(url)
    try await app.finish()
    return window.page
  }

  private static let sort = "{{#sort}}<a {{choice}}>{{label}}</a>{{/sort}}"
  private static let unused = "{{#filter}}<input {{begins}}>{{/filter}}"

  @Test func `a link sets each value, and the chosen one is marked`() async throws {
    let page = try await self.open(Self.sort + Self.unused, "/filters?sort=time&begins=18:30")

    #expect(
      page.contains(
        """
        <a data-set="sort=" href="?begins=18%3A30">name</a>\
        <a data-set="sort=time" href="?begins=18%3A30&amp;sort=time" aria-current="true">time</a>
        """), "\(page)")
    #expect(page.contains("name=\"begins\" data-parameter=\"begins\" value=\"18:30\""), "\(page)")
  }

  @Test func `values come from the model, and a link resets what depends on them`()
    async throws
  {
    let page = try await self.open(
      Self.unused + "{{#shop}}<a {{choice}}>{{label}}</a>{{/shop}}",
      "/filters?shop=Fish&begins=18:30")

    #expect(
      page.contains(
        """
        <a data-set="shop=&amp;begins=" href="/filters">All</a>\
        <a data-set="shop=Fish&amp;begins=" href="?shop=Fish" aria-current="true">Fish</a>
        """), "\(page)")
  }

  @Test func `a value can have another label`() async throws {
    let page = try await self.open(
      Self.unused + "{{#labelled}}<a {{choice}}>{{label}}</a>{{/labelled}}", "/filters")

    #expect(page.contains(">NAME</a>") && page.contains(">TIME</a>"), "\(page)")
    #expect(page.contains("data-set=\"sort=\" href=\"/filters\" aria-current=\"true\""), "\(page)")
  }
}
