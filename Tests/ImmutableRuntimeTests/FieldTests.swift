import Fixture
import HTMLTemplates
import ImmutableData
import Testing
import WindowTesting

@testable import ImmutableRuntime
@testable import ImmutableUI

/// A page with the same form in each row.
private struct Names: Root {
  typealias State = FixtureState

  struct Row: Identifiable, Equatable, Sendable {
    let id: String
  }

  static let id = Field<String>.hidden("id")
  static let name = Field.text("name", required: "Enter a name.")
  static let rename = Form<FixtureAction>("rename", fields: Self.id, Self.name) { _, _ in
    .ui(.onTapTickButton)
  }

  init(_ local: NoLocalState) {}

  var body: some Component {
    NamesPresenter()
  }

  static var page: Page<Self> {
    Page(Self.self, at: "/names", title: "Names")
  }
}

private struct NamesPresenter: Presenter {
  let rows = ["a", "b", "\"c\""].map { Names.Row(id: $0) }

  static let template = Template<Self>(
    named: "Names",
    [
      .rows(
        "rows",
        [
          .form("rename", Names.rename),
          .field("id", Names.id) { $0.id },
          .field("name", Names.name) { $0.id },
        ]
      ) { $0.rows }
    ]
  )
}

/// A page with a form that has a password.
private struct SignIn: Root {
  typealias State = FixtureState

  static let name = Field.text("name")
  static let secret = Field.text("secret", .password, required: "Enter your password.")
  static let form = Form<FixtureAction>("signIn", .repeatable, fields: Self.name, Self.secret) {
    name, _ in .ui(.onTapAddButton(id: name, name: name))
  }

  init(_ local: NoLocalState) {}

  var body: some Component {
    SignInPresenter()
  }

  static func status(of action: FixtureAction, in state: FixtureState) -> OperationStatus? {
    .waiting
  }

  static var page: Page<Self> {
    Page(Self.self, at: "/sign-in", title: "Sign in")
  }

  static let templates = TemplateLibrary(sources: [
    "SignIn": "{{#form}}<input {{name}}><input {{secret}}>{{/form}}"
  ])
}

private struct SignInPresenter: Presenter {
  static let template = Template<Self>(
    named: "SignIn",
    [
      .form("form", SignIn.form),
      .field("name", SignIn.name),
      .field("secret", SignIn.secret) { _ in "initial" },
    ]
  )
}

/// A page with a form that offers some of the values that its fields can have.
private struct Menu: Root {
  typealias State = FixtureState

  static let size = Field<Board.Size>.choice("size", of: [.small], "Choose a size.")
  static let table = Field<Int>.choice("table", .boxes, of: [1, 2], "Choose a table.")
  static let tags = Field<[Board.Tag]>.several("tags", of: [.one, .two])
  static let days = Field<[Int]>.several("days", of: [1, 2])
  static let order = Form<FixtureAction>(
    "order", .repeatable, fields: Self.size, Self.table, Self.tags, Self.days
  ) { _, _, _, _ in .ui(.onTapTickButton) }

  init(_ local: NoLocalState) {}

  var body: some Component {
    MenuPresenter()
  }

  static var page: Page<Self> {
    Page(Self.self, at: "/menu", title: "Menu")
  }

  static let templates = TemplateLibrary(sources: [
    "Menu": "{{#order}}<select {{size}}>{{size.options}}</select>"
      + ["table", "tags", "days"].map { "{{#\($0)}}<input {{choice}}> {{label}}{{/\($0)}}" }
      .joined() + "{{/order}}"
  ])
}

private struct MenuPresenter: Presenter {
  static let template = Template<Self>(
    named: "Menu",
    [
      .form("order", Menu.order),
      .field("size", Menu.size),
      .field("table", Menu.table),
      .field("tags", Menu.tags),
      .field("days", Menu.days),
    ]
  )
}

/// Fields of each kind, in a form that posts and in one for local state: as pages have them.
@MainActor struct FieldTests {
  private let store = Store(initialState: FixtureState(), reducer: FixtureReducer.reduce)

  private func makeApp() throws -> TestApp {
    try TestApp(templates: .fixture) {
      Provider(self.store) {
        Board.page
        FixtureContent.itemsPage
      }
    }
  }

  /// What stands between `<form…>` and its end, for a refused submission or a query.
  private func form(
    _ attribute: String,
    query: String = "",
    refused: RefusedSubmission? = nil
  ) async throws -> String {
    let app = try self.makeApp()
    let answer = try await app.windows.page(
      "/board",
      query: Query(query),
      refused: refused,
      makeToken: { "TOKEN" }
    )
    guard case .content(let content) = answer else { return "" }
    let html = String(decoding: content.html, as: UTF8.self)
    let start = try #require(html.firstRange(of: attribute)?.upperBound)
    let rest = html[start...]
    return String(rest[..<(rest.firstRange(of: "</form>")?.lowerBound ?? rest.endIndex)])
  }

  private static let typed = """
    secret=other&text=refuse&notes=%0D%0Aa%3C%0D%0Ab&legs=8&day=2026-01-02&size=large&color=blue\
    &tags=two&tags=three
    """

  @Test func `every kind of field starts with its value`() async throws {
    let form = try await self.form("data-form=\"save\"")

    #expect(
      form == """
         data-policy="once" class="quick" id="save" data-reset="">\
        <input type="hidden" name="_form" value="save" autocomplete="off">\
        <input type="hidden" name="_token" value="TOKEN" autocomplete="off">\
        <input type="hidden" name="secret" value="secret" autocomplete="off">
        <label>Text <input type="text" required maxlength="20" pattern=".*\\S.*" \
        title="Enter a text." name="text" value=""></label>
        <label>Notes <textarea name="notes" maxlength="200">

        old</textarea></label>
        <label>Legs <input type="number" required min="0" max="8" name="legs" value="4"></label>
        <label>Day <input type="date" name="day" value=""></label>
        <label>Urgent <input type="checkbox" name="isUrgent" value="true" checked></label>
        <label><input type="radio" required name="size" value="small" checked> small</label>\
        <label><input type="radio" required name="size" value="large"> large</label>
        <select name="color" required><option value="red">red</option>\
        <option value="green" selected>green</option><option value="blue">blue</option></select>
        <select name="tags" multiple><option value="one" selected>one</option>\
        <option value="two">two</option><option value="three">three</option></select>
        <label><input type="checkbox" name="boxes" value="one"> one</label>\
        <label><input type="checkbox" name="boxes" value="two" checked> two</label>\
        <label><input type="checkbox" name="boxes" value="three"> three</label>
        <button>Save</button>
        <p data-error role="alert"></p>
        """
    )
  }

  @Test func `after a refusal every kind of field shows what was typed`() async throws {
    let refused = RefusedSubmission(
      form: "save",
      fields: FormFields(Query(Self.typed)),
      refusal: Refusal(.conflict, "No.", fields: ["text": "Enter another."])
    )

    let form = try await self.form("data-form=\"save\"", refused: refused)

    for part in [
      "name=\"secret\" value=\"secret\"",
      "name=\"text\" value=\"refuse\" data-default-value=\"\" aria-invalid=\"true\"",
      "<textarea name=\"notes\" maxlength=\"200\" data-default-value=\"\nold\">\n\r\na&lt;\r\nb</textarea>",
      "name=\"legs\" value=\"8\" data-default-value=\"4\"",
      "name=\"day\" value=\"2026-01-02\" data-default-value=\"\"",
      "name=\"isUrgent\" value=\"true\" data-default-checked=\"true\"",
      "name=\"size\" value=\"small\" data-default-checked=\"true\">",
      "name=\"size\" value=\"large\" checked data-default-checked=\"false\">",
      "<select name=\"color\" required data-draft><option value=\"red\">red</option>"
        + "<option value=\"green\" data-default-selected>green</option>"
        + "<option value=\"blue\" selected>blue</option></select>",
      "<select name=\"tags\" multiple data-draft>"
        + "<option value=\"one\" data-default-selected>one</option>"
        + "<option value=\"two\" selected>two</option>"
        + "<option value=\"three\" selected>three</option></select>",
      "name=\"boxes\" value=\"two\" data-default-checked=\"true\">",
    ] {
      #expect(form.contains(part), "\(part) is not in \(form)")
    }
  }

  /// - Parameter row: The row whose form shows what was typed, and the message. If there is none, the
  ///   message is a toast.
  @Test(arguments: [("a", 0), ("b", 1), ("\"c\"", 2), ("gone", nil)] as [(String, Int?)])
  func `a refusal is shown in the form of the row that was posted, and in no other`(
    id: String, row: Int?
  ) async throws {
    let templates = TemplateLibrary(sources: [
      "Names": "<ul data-list=\"rows\">{{#rows}}<li>{{#rename}}<input {{id}}>"
        + "<input {{name}}>{{/rename}}</li>{{/rows}}</ul>"
    ])
    let app = try TestApp(templates: templates) { Provider(self.store) { Names.page } }
    let refused = RefusedSubmission(
      form: "rename",
      fields: FormFields(
        Query([QueryItem(name: "id", value: id), QueryItem(name: "name", value: " ")])),
      refusal: Refusal(field: "name", "Enter a name.")
    )

    let answer = try await app.windows.page(
      "/names", query: Query(""), session: Identifier(), refused: refused)

    guard case .content(let content) = answer else {
      Issue.record("\(answer)")
      return
    }
    #expect(content.toast?.message == (row == nil ? "Enter a name." : nil))
    let rows = String(decoding: content.html, as: UTF8.self).split(separator: "<li").dropFirst()
    #expect(rows.map { $0.contains("name=\"name\" value=\" \"") } == (0..<3).map { $0 == row })
    #expect(rows.map { $0.contains("id=\"error-rename\">Enter") } == (0..<3).map { $0 == row })
    #expect(rows.map { $0.contains("aria-invalid") } == (0..<3).map { $0 == row })
    #expect(rows.first?.contains("name=\"id\" value=\"a\"") == true)
  }

  @Test func `a refusal of a form that the page does not have is a toast`() async throws {
    let app = try self.makeApp()
    let refused = RefusedSubmission(
      form: "gone", fields: FormFields(Query("text=typed")), refusal: Refusal(.unknown, "Reload."))

    let answer = try await app.windows.page(
      "/board", query: Query(), session: Identifier(), refused: refused)

    guard case .content(let content) = answer else {
      Issue.record("\(answer)")
      return
    }
    #expect(content.toast?.message == "Reload.")
    #expect(String(decoding: content.html, as: UTF8.self).contains("typed") == false)
  }

  @Test func `a password is in no page, neither its initial value nor what was typed`()
    async throws
  {
    let app = try TestApp(templates: SignIn.templates) { Provider(self.store) { SignIn.page } }
    let refused = RefusedSubmission(
      form: "signIn",
      fields: FormFields(Query("name=ada&secret=typed")),
      refusal: Refusal(field: "secret", "This is not your password.")
    )

    let answer = try await app.windows.page("/sign-in", query: Query(), refused: refused)

    guard case .content(let content) = answer else {
      Issue.record("\(answer)")
      return
    }
    let html = String(decoding: content.html, as: UTF8.self)
    #expect(html.contains("name=\"name\" value=\"ada\""))
    #expect(html.contains("name=\"secret\" aria-invalid=\"true\""))
    #expect(html.contains("typed") == false)
    #expect(html.contains("initial") == false)
  }

  @Test func `a password is not kept with the draft of a submission whose effect is in progress`()
    async throws
  {
    let app = try TestApp(templates: SignIn.templates) { Provider(self.store) { SignIn.page } }
    let session = Identifier()
    let fields = "_form=signIn&_token=one&name=ada&secret=typed"

    _ = try await app.windows.submit(
      FormFields(Query(fields)), to: "/sign-in", session: session, window: nil)

    let product = try #require(app.windows.allProducts.first as? Product<FixtureState>)
    let name = SubmissionKey(path: "/sign-in", token: "one").text
    let draft = await product.draft(name, of: session)
    #expect(draft?.fields.query.text == "_form=signIn&_token=one&name=ada")
  }

  @Test func `a password that is a parameter of a URL is a programmer error`() async {
    struct Local: LocalState {
      var secret = ""
      static let parameters = [Parameter<Self>(SignIn.secret, \.secret)]
    }

    await #expect(processExitsWith: .failure) { _ = Local.parameters }
  }

  @Test func `forms that are alike all show a refusal, because nobody knows which one was posted`()
    async throws
  {
    let form = "{{#rename}}<input {{id}}><input {{name}}>{{/rename}}"
    let templates = TemplateLibrary(sources: [
      "Names": "<ul data-list=\"rows\">{{#rows}}<li>\(form)\(form)</li>{{/rows}}</ul>"
    ])
    let app = try TestApp(templates: templates) { Provider(self.store) { Names.page } }
    let refused = RefusedSubmission(
      form: "rename",
      fields: FormFields(
        Query([QueryItem(name: "id", value: "b"), QueryItem(name: "name", value: " ")])),
      refusal: Refusal(field: "name", "Enter a name.")
    )

    let answer = try await app.windows.page("/names", query: Query(""), refused: refused)

    guard case .content(let content) = answer else {
      Issue.record("\(answer)")
      return
    }
    let html = String(decoding: content.html, as: UTF8.self)
    for id in ["error-rename", "error-rename-4"] {
      #expect(html.ranges(of: "id=\"\(id)\">Enter").count == 1, "\(id)")
      #expect(html.ranges(of: "aria-describedby=\"\(id)\"").count == 1, "\(id)")
    }
    #expect(html.ranges(of: ">Enter a name.").count == 2)
  }

  @Test func `every kind of local-state field shows the value in the URL`() async throws {
    let form = try await self.form(
      "data-local", query: Self.typed + "&boxes=one&boxes=three&origin=map")

    #expect(
      form == """
        ><input type="hidden" name="origin" data-parameter="origin" value="map" autocomplete="off">
        <input type="text" maxlength="20" name="text" data-parameter="text" value="refuse">
        <textarea name="notes" maxlength="200" data-parameter="notes">\n\na&lt;\nb</textarea>
        <input type="number" name="legs" data-parameter="legs" data-default="4" value="8">
        <input type="date" name="day" data-parameter="day" value="2026-01-02">
        <input type="checkbox" name="isUrgent" data-parameter="isUrgent" value="true">
        <label><input type="radio" name="size" data-parameter="size" value="small"> small</label>\
        <label><input type="radio" name="size" data-parameter="size" value="large" checked> large\
        </label>
        <select name="color" data-parameter="color" data-default="red">\
        <option value="red">red</option><option value="green">green</option>\
        <option value="blue" selected>blue</option></select>
        <select name="tags" multiple data-parameter="tags"><option value="one">one</option>\
        <option value="two" selected>two</option><option value="three" selected>three</option></select>
        <label><input type="checkbox" name="boxes" data-parameter="boxes" value="one" checked> one\
        </label>\
        <label><input type="checkbox" name="boxes" data-parameter="boxes" value="two"> two</label>\
        <label><input type="checkbox" name="boxes" data-parameter="boxes" value="three" checked> \
        three</label>
        <button>Filter</button>

        """
    )
  }

  @Test func `a select of local state shows its default while the URL does not say`() async throws {
    let form = try await self.form("data-local")

    #expect(form.contains("<option value=\"red\" selected>"))
    #expect(form.contains("data-default=\"4\" value=\"4\">"))
  }

  @Test func `the values of fields make the action`() async throws {
    let app = try self.makeApp()
    let window = try await app.open("/board")

    let answer = try await window.submit(
      "save",
      ["secret": "s", "text": "Hi", "legs": "2", "size": "large", "color": "red", "boxes": "two"]
    )

    guard case .accepted = answer else {
      Issue.record("\(answer)")
      return
    }
    #expect(
      self.store.state.note
        == Note(
          text: "Hi",
          lines: [
            "s", "", "2", "no day", "false", "large", "red", "[]", "[Fixture.Board.Tag.two]",
          ]
        )
    )
  }

  @Test func `all validation errors are reported at once`() async throws {
    let app = try self.makeApp()
    let window = try await app.open("/board")

    let answer = try await window.submit(
      "save",
      ["text": " ", "legs": "9", "day": "x", "size": "huge", "color": "", "boxes": "four"]
    )

    guard case .refused(let refusal, version: 0) = answer else {
      Issue.record("\(answer) is no refusal")
      return
    }
    #expect(
      refusal.fields == [
        "secret": "This form is incomplete. Reload the page and try again.",
        "text": "Enter a text.", "legs": "Enter a number from 0 to 8.", "day": "Enter a day.",
        "size": "Choose a size.", "color": "Choose a color.",
        "boxes": "Choose one of the offered values.",
      ]
    )
    #expect(refusal.message.hasPrefix("This form is incomplete."))
  }

  @Test(arguments: [
    ("size", ["large"], "Choose a size."), ("table", ["3"], "Choose a table."),
    ("tags", ["one", "three"], "Choose one of the offered values."),
    ("days", ["3"], "Choose one of the offered values."),
  ])
  func `a value that its field does not offer is refused, although others of its type are`(
    field: String, values: [String], message: String
  ) async throws {
    let app = try TestApp(templates: Menu.templates) { Provider(self.store) { Menu.page } }
    let window = try await app.open("/menu")
    let offered = ["size": ["small"], "table": ["2"], "tags": ["one", "two"], "days": ["1"]]

    let accepted = try await window.submit("order", offered)
    let answer = try await window.submit("order", offered.merging([field: values]) { $1 })

    #expect(accepted.refusal == nil)
    #expect(answer.refusal?.fields == [field: message])
    #expect(self.store.state.ticks == 1)
  }

  private static let mapped = Field<[Character]>.text(
    "letters",
    required: "Enter letters.",
    limit: 3,
    get: { String($0) },
    tag: { Array($0) }
  )

  @Test(arguments: [
    (" ", "Enter letters."), ("abcd", "This is too long. Enter at most 3 characters."),
    (
      "a" + String(repeating: "\u{301}", count: 1_000),
      "This is too long. Enter at most 3 characters."
    ),
  ])
  func `a text that becomes a value is checked`(text: String, message: String) {
    let refusal = #expect(throws: Refusal.self) { try Self.mapped.read([text]) }

    #expect(refusal?.fields == ["letters": message])
    #expect(throws: Refusal.self) {
      try Field.text("text", required: "Enter letters.", limit: 3).read([text])
    }
  }

  @Test func `characters that browsers count twice are within the limit`() throws {
    #expect(try Self.mapped.read(["👍👍👍"]) == ["👍", "👍", "👍"])
  }

  @Test func `several values of a field can be posted`() async throws {
    let app = try self.makeApp()
    let window = try await app.open("/board")

    try await window.submit(
      "save",
      [
        "secret": ["s"], "text": ["Hi"], "legs": ["2"], "size": ["large"], "color": ["red"],
        "boxes": ["one", "three"],
      ]
    )

    #expect(
      self.store.state.note?.lines.last == "[Fixture.Board.Tag.one, Fixture.Board.Tag.three]")
  }

  @Test func `a window test reads the text that users see`() async throws {
    let item = Item(id: "1", name: "<b> & \"Dog's\" &amp;")
    let store = Store(initialState: FixtureState(items: [item]), reducer: FixtureReducer.reduce)
    let app = try TestApp(templates: .fixture) { Provider(store) { FixtureContent.page } }

    let window = try await app.open("/fixture")

    #expect(window.text.contains(item.name))
  }

  @Test func `an unknown form or field fails a window test`() async throws {
    let app = try self.makeApp()
    let window = try await app.open("/board")

    let form = await #expect(throws: WindowTestError.self) { try await window.submit("saev") }
    let field = await #expect(throws: WindowTestError.self) {
      try await window.submit("move", ["crad": "A"])
    }
    let hash = String(repeating: "1", count: 64)
    let picture = try #require(Picture(hash: hash, kind: .png, width: 1, height: 1))
    let photo = await #expect(throws: WindowTestError.self) {
      try await window.submit("move", pictures: ["photo": picture])
    }

    #expect(form?.description.contains("There are: add, delete, move, save, tick") == true)
    for error in [field, photo] {
      #expect(error?.description.contains("It has: card, column") == true)
    }
  }

  @Test func `lists of one slot are patched one by one`() async throws {
    let app = try self.makeApp()
    let window = try await app.open("/board")
    #expect(window.text.contains("todo: 3 A Todo Doing Done B Todo Doing Done C"))

    try await window.submit("move", ["card": "B", "column": "done"])

    let pushes = try await window.expect("doing: 0 done: 1 B Todo")
    #expect(pushes[0].data.contains("\"todo\":[[\"cut\",\"B\"]]"))
    #expect(pushes[0].data.contains("\"done\":[[\"put\",\"B\""))
    try await app.finish()
  }
}

extension Product {
  fileprivate func draft(_ name: String, of session: Identifier) -> RefusedSubmission? {
    self.drafts[name, of: session]
  }
}
