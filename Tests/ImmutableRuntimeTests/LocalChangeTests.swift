import Fixture
import HTMLTemplates
import ImmutableData
import Synchronization
import Testing
import WindowTesting

@testable import ImmutableRuntime
@testable import ImmutableUI

private struct Local: LocalState {
  var search = ""
  var order = Order.forward
  var selected: String?
  var tags: [String] = []

  static let parameters: [Parameter<Self>] = [
    Parameter("search", \.search), Parameter("order", \.order), Parameter("selected", \.selected),
    Parameter(Field<[String]>.several("tag"), \.tags),
  ]
}

extension LocalChange<Local> {
  fileprivate mutating func dismiss() {
    self.selected = nil
    self.search = ""
  }
}

struct LocalChangeTests {
  private func items(_ change: (inout LocalChange<Local>) -> Void) -> String {
    Query(LocalChange.items(change)).text
  }

  @Test func `a change contains the parameters that were set`() {
    #expect(self.items { $0.order = .reverse } == "order=reverse")
    #expect(self.items { _ in } == "")
  }

  @Test func `a parameter set to its default leaves the URL`() {
    #expect(self.items { $0.dismiss() } == "selected=&search=")
    #expect(self.items { $0.order = .forward } == "order=")
  }

  @Test func `a parameter without text has its default`() {
    #expect(Local(Query("selected=&search=&order=&tag=")) == Local())
  }

  @Test func `the last value set for a parameter wins`() {
    let text = self.items {
      $0.selected = "a"
      $0.search = "b"
      $0.selected = "c"
    }

    #expect(text == "selected=c&search=b")
  }

  @Test func `several values are several parameters of one name`() {
    let text = self.items { $0.tags = ["a", "b"] }
    let local = Local(Query("search=x").setting(Query(text).items))

    #expect(text == "tag=a&tag=b")
    #expect(local.tags == ["a", "b"])
    #expect(local.query.text == "search=x&tag=a&tag=b")
  }

  @Test func `a value that a parameter may not hold is not set`() {
    #expect(self.items { $0.search = String(repeating: "a", count: 300) } == "search=")
  }

  @Test func `a parameter is reset after the last change of what it depends on`() {
    func items(_ change: (inout LocalChange<Listed>) -> Void) -> String {
      Query(LocalChange.items(change)).text
    }

    #expect(items { $0.order = .reverse } == "order=reverse&from=")
    #expect(items { $0.tag = "a" } == "tag=a")
    let both = items {
      $0.search = "a"
      $0.order = .forward
      $0.tag = "b"
    }
    #expect(both == "search=a&order=&from=&tag=b")
  }

  @Test(arguments: [true, false])
  func `a parameter that a change sets is not reset by it`(isFirst: Bool) {
    let items = LocalChange<Listed>.items {
      if isFirst { $0.start = "x" }
      $0.order = .reverse
      if isFirst == false { $0.start = "x" }
    }

    #expect(Query(items).text == (isFirst ? "from=x&order=reverse" : "order=reverse&from=x"))
  }

  @Test(arguments: [
    ("<input {{search}}>", "searched", ["from="]), ("<input {{tag}}>", "searched", []),
    ("<input {{tag}}>", "sorted", ["order=", "from="]),
    ("<input {{search}}>", "started", ["from=y"]),
    ("<input {{search}}><input {{from}}>", "searched", []),
  ])
  func `a form resets what depends on its fields and changes`(
    fields: String, form: String, hidden: [String]
  ) async throws {
    let store = await Store(initialState: FixtureState(), reducer: FixtureReducer.reduce)
    let template = "{{#\(form)}}\(fields){{/\(form)}}"
    let app = try TestApp(templates: TemplateLibrary(sources: ["Listing": template])) {
      Provider(store) { Page(Listing.self, at: "/listing", title: "Listing") }
    }

    let page = try await app.open("/listing?search=a&order=reverse&from=x&tag=b").page

    // Those that keep their values are written for each window, and differ.
    let inputs = page.matches(of: /<input type="hidden" name="(\w+)" value="(\w*)" autocomplete/)
    let names = page.matches(of: /\sname="(\w+)"/).map { String($0.output.1) }
    #expect(inputs.map { "\($0.output.1)=\($0.output.2)" } == hidden, "\(page)")
    #expect(names.sorted() == ["from", "order", "search", "tag"], "\(page)")
    try await app.finish()
  }

  @Test func `a parameter that is reset by no parameter is a programmer error`() async {
    struct Odd: Root {
      typealias State = FixtureState

      struct Local: LocalState {
        var start: String?
        var resolved = 0
        static let parameters: [Parameter<Self>] = [
          Parameter("from", \.start).reset(by: \.resolved)
        ]
      }

      init(_ local: Local) {}
      var body: some Component { OddPresenter() }
    }
    await #expect(processExitsWith: .failure) {
      _ = Page(Odd.self, at: "/odd", title: "Odd")
    }
  }

  @Test func `setting a property that is not a parameter is a finding`() async throws {
    let store = await Store(initialState: FixtureState(), reducer: FixtureReducer.reduce)
    let templates = TemplateLibrary(sources: ["Odd": "<a {{wrong}} {{right}}>x</a>"])
    let app = try TestApp(templates: templates) {
      Provider(store) { Page(Odd.self, at: "/odd", title: "Odd") }
    }

    let window = try await app.open("/odd")

    #expect(window.page.contains("data-set=\"\""))
    #expect(window.page.contains("data-set=\"number=1\""))
    let error = await #expect(throws: WindowTestError.self) { try await app.finish() }
    #expect(error?.description.contains("a link or form sets \\Local.resolved") == true)
  }

  @Test(arguments: ["{{#form}}{{/form}}", "<a {{late}}>x</a>"])
  func `setting a property that is not a parameter stops the start`(template: String) async {
    let store = await Store(initialState: FixtureState(), reducer: FixtureReducer.reduce)

    let error = #expect(throws: TemplateError.self) {
      _ = try TestApp(templates: TemplateLibrary(sources: ["Odd": template])) {
        Provider(store) { Page(Odd.self, at: "/odd", title: "Odd") }
      }
    }

    #expect(error?.description.hasPrefix("Odd.mustache:1:") == true)
    #expect(error?.description.contains("a link or form sets \\Local.resolved") == true)
  }

  @Test func `a page reads its local state once, however many late values it has`() async throws {
    let store = await Store(initialState: FixtureState(), reducer: FixtureReducer.reduce)
    let template = "<a {{late}} {{attribute}}></a><a {{late}} {{attribute}}></a>"
    let app = try TestApp(templates: TemplateLibrary(sources: ["Late": template])) {
      Provider(store) { Page(Late.self, at: "/late", title: "Late") }
    }
    let answer = try await app.windows.page("/late", query: Query("number=1"))
    guard case .content(let content) = answer else {
      Issue.record("\(answer)")
      return
    }
    let reads = CountedNumber.reads.withLock { $0 }

    let html = String(decoding: content.html, as: UTF8.self)

    #expect(html.contains("<a  href=\"?number=2\"  data-number=\"1\"></a>"))
    #expect(CountedNumber.reads.withLock { $0 } == reads + 1)
  }

  @Test func `an optional parameter whose default is not nil is a programmer error`() async {
    struct Local: LocalState {
      var number: Int? = 1
      static let parameters = [Parameter<Self>("number", \.number)]
    }

    await #expect(processExitsWith: .failure) { _ = Local.parameters }
  }

  @Test func `two parameters with one name are a programmer error`() async {
    struct Doubled: Root {
      typealias State = FixtureState

      struct Local: LocalState {
        var one = 0
        var other = 0
        static let parameters: [Parameter<Self>] = [
          Parameter("one", \.one), Parameter("one", \.other),
        ]
      }

      init(_ local: Local) {}
      var body: some Component { OddPresenter() }
    }
    await #expect(processExitsWith: .failure) {
      _ = Page(Doubled.self, at: "/doubled", title: "Doubled")
    }
  }
}

/// Local state whose part of a list depends on what is listed.
private struct Listed: LocalState {
  var search = ""
  var order = Order.forward
  var start: String?
  var tag = ""

  static let parameters: [Parameter<Self>] = [
    Parameter(Self.searchField, \.search), Parameter("order", \.order),
    Parameter(Self.startField, \.start).reset(by: \.search, \.order),
    Parameter(Self.tagField, \.tag),
  ]
  static let searchField = Field.text("search")
  static let startField = Field.text("from")
  static let tagField = Field.text("tag")
}

private struct Listing: Root, Presenter {
  typealias State = FixtureState

  init(_ local: Listed) {}

  static let template = Template<Self>(
    named: "Listing",
    [
      .localForm("searched", Listed.self),
      .localForm("sorted", Listed.self) { $0.order = .forward },
      .localForm("started", Listed.self) { $0.start = "y" },
      .field("search", Listed.searchField),
      .field("from", Listed.startField),
      .field("tag", Listed.tagField),
    ]
  )
}

/// A page whose links and forms set a property that is not a parameter.
private struct Odd: Root {
  typealias State = FixtureState

  struct Local: LocalState {
    var number = 0
    var resolved = 0

    static let parameters: [Parameter<Self>] = [Parameter("number", \.number)]
  }

  init(_ local: Local) {}

  var body: some Component { OddPresenter() }
}

private struct OddPresenter: Presenter {
  static let template = Template<Self>(
    named: "Odd",
    [
      .link("wrong", Odd.Local.self) { local, _ in local.resolved = 1 },
      .link("right", Odd.Local.self) { local, _ in local.number = 1 },
      .localForm("form", Odd.Local.self) { $0.resolved = 1 },
      .lateLink("late", Odd.Local.self) { $0.resolved = 1 },
    ]
  )
}

/// A page whose late values read a number that counts how often it is read.
private struct Late: Root {
  typealias State = FixtureState

  struct Local: LocalState {
    var number = CountedNumber(value: 0)

    static let parameters: [Parameter<Self>] = [Parameter("number", \.number).late()]
  }

  init(_ local: Local) {}

  var body: some Component { LatePresenter() }
}

private struct LatePresenter: Presenter {
  static let template = Template<Self>(
    named: "Late",
    [
      .lateLink("late", Late.Local.self) { $0.number.value += 1 },
      .attribute("attribute", "data-number", from: Late.Local.self) { $0.number.description },
    ]
  )
}

private struct CountedNumber: LosslessStringConvertible, Hashable, Sendable {
  static let reads = Mutex(0)

  var value: Int

  init(value: Int) {
    self.value = value
  }

  init?(_ description: String) {
    Self.reads.withLock { $0 += 1 }
    guard let value = Int(description) else { return nil }
    self.value = value
  }

  var description: String { "\(self.value)" }
}
