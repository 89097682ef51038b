import Fixture
import Foundation
import HTMLTemplates
import Testing

@testable import ImmutableUI

/// What stops the start: forms and fields that are not used, or not as they are declared.
struct FormRegistrationTests {
  private struct Model: Presenter {
    static let template = Template<Self>(named: "Model", [])
  }

  private struct Part: Presenter, Hashable {
    static let template = Template<Self>(named: "Part", [])
  }

  private struct Whole: Presenter {
    static let template = Template<Self>(named: "Whole", [.component("part") { _ in Part() }])
  }

  private struct Local: LocalState {
    var search = ""
    var isOn = true
    var number = 0

    static let parameters: [Parameter<Self>] = [
      Parameter(searchField, \.search), Parameter(onField, \.isOn), Parameter("number", \.number),
    ]
    static let searchField = Field.text("search")
    static let onField = Field.checkbox("isOn")
  }

  private static let name = Field.text("name")
  private static let other = Field.text("other")
  private static let notes = Field.textarea("notes")
  private static let add = Form<FixtureAction>("add", fields: Self.name) {
    .ui(.onTapAddButton(id: $0, name: $0))
  }
  private static let again = Form<FixtureAction>("add") { .ui(.onTapTickButton) }
  private static let write = Form<FixtureAction>("write", fields: Self.notes) {
    .ui(.onTapAddButton(id: $0, name: $0))
  }

  private static let slots: Slots<Model> = [
    .form("add", Self.add),
    .field("name", Self.name),
    .field("other", Self.other),
    .field("notes", Self.notes),
    .field("search", Local.searchField),
    .field("isOn", Local.onField),
    .localForm("filter", Local.self),
    .localForm("reset", Local.self) { $0.search = "" },
    .text("text") { _ in "" },
    .flag("flag") { _ in true },
  ]

  /// What is wrong with a template.
  private func failure(_ template: String, _ slots: Slots<Model> = Self.slots) -> String {
    let library = TemplateLibrary(sources: ["Model": template])
    let set = TemplateSet(library: library)
    do {
      try set.compile(Template<Model>(named: "Model", slots))
      return "it compiles"
    } catch {
      return "\(error)"
    }
  }

  private static let used = "{{#add}}<input {{name}}>{{/add}}"

  @Test func `two components with one template are named if it does not compile`() throws {
    let set = TemplateSet(library: TemplateLibrary(sources: ["Model": "{{name}}"]))
    try set.compile(Template<Model>(named: "Model", [.text("name") { _ in "" }]))

    let error = #expect(throws: TemplateError.self) {
      try set.compile(Template<Other>(named: "Model", [.text("title") { _ in "" }]))
    }

    #expect(
      error?.message == """
        there is no slot "name". There are: title. (the template of Model and Other: give each a \
        Swift file and a template of its own)
        """)
  }

  @Test func `two components with one template are named if the outer one does not compile`() throws
  {
    let set = TemplateSet(library: TemplateLibrary(sources: ["Shared": "{{text}}"]))

    let error = #expect(throws: TemplateError.self) { try set.prepareOnce(Outer.self) }

    #expect(
      error?.message == """
        there is no slot "text". There are: sheet. (the template of Outer and Inner: give each a \
        Swift file and a template of its own)
        """)
  }

  @Test func `a component that is prepared again fails with the same error`() throws {
    let set = TemplateSet(library: TemplateLibrary(sources: ["Shared": "{{title}}"]))

    let error = #expect(throws: TemplateError.self) { try set.prepareOnce(Inner.self) }
    let again = #expect(throws: TemplateError.self) { try set.prepareOnce(Inner.self) }

    #expect(error?.message == "there is no slot \"title\". There are: text.")
    #expect(again == error)
  }

  private struct Other: Sendable {}

  private struct Outer: Presenter {
    static let template = Template<Self>(
      named: "Shared",
      [.optional("sheet", [.component("inner") { $0 }]) { _ in Inner() }]
    )
  }

  private struct Inner: Presenter {
    static let template = Template<Self>(named: "Shared", [.text("text") { _ in "" }])
  }

  @Test func `a form is registered by being used`() throws {
    let set = TemplateSet(library: TemplateLibrary(sources: ["Model": Self.used]))

    try set.compile(Template<Model>(named: "Model", Self.slots))

    #expect(set.form("add", of: FixtureAction.self)?.name == "add")
    #expect(set.form("write", of: FixtureAction.self) == nil)
    #expect(set.form("add", of: String.self) == nil)
  }

  @Test(arguments: [
    ("<p>\n</p>", "1:1: the form \"add\" (ImmutableUITests/FormRegistrationTests.swift:"),
    ("\n{{#add}}{{/add}}", "2:1: the field \"name\" of the form \"add\" (ImmutableUITests/"),
    (
      "{{#add}}<input {{name}}>\n<input {{other}}>{{/add}}",
      "2:8: the form \"add\" (ImmutableUITests/FormRegistrationTests.swift:"
    ),
    ("\(used)\n<input {{other}}>", "2:8: the field \"other\" has to be in the section of its form"),
    (
      "{{#add}}<input {{name}}>\n  <input type=\"text\" name=\"raw\">{{/add}}",
      "2:22: a field of a form is a slot"
    ),
    ("{{#add}}<input {{name}}><input {{text}}\n name=raw>{{/add}}", "2:2: a field of a form"),
    (
      "{{#add}}<input {{name}}>{{#flag}}<button name=\"raw\">{{/flag}}{{/add}}",
      "1:42: a field of a form is a slot"
    ),
    ("\(used)\n<form class=\"a\" method=\"post\"></form>", "2:1: a form that posts is a slot"),
    (
      "\(used)\n<p><a class=\"a\" href=\"?serch=x\">x</a></p>",
      "2:17: a link that changes local state is a slot"
    ),
    ("\(used)\n<a HREF = ?serch=x>", "2:4: a link that changes local state is a slot"),
    ("{{#saev}}{{/saev}}", "1:1: there is no slot \"saev\""),
    (
      "\(used){{#filter}}<input {{search}}>\n<input {{search}}>{{/filter}}",
      "2:8: the field \"search\" is in this form twice"
    ),
    (
      "\(used)\n{{#reset}}<input {{search}}>{{/reset}}",
      "2:1: the field \"search\" is in this form twice"
    ),
    (
      "\(used){{#filter}}\n<input {{name}}>{{/filter}}",
      "2:8: Local has no field \"name\". It has: isOn, number, search."
    ),
    (
      "\(used){{#filter}}\n<input {{isOn}}>{{/filter}}",
      "2:8: the field \"isOn\" has to be empty by default"
    ),
  ])
  func `a form that does not match its declaration stops the start`(
    template: String, message: String
  ) {
    let failure = self.failure(template)

    #expect(failure.hasPrefix("Model.mustache:\(message)"), "\(failure)")
  }

  @Test func `a component that does not compile is refused each time, and so are its parts`() {
    let set = TemplateSet(
      library: TemplateLibrary(sources: ["Whole": "{{part}}", "Part": "{{unknown}}"]))

    #expect(throws: TemplateError.self) { try set.prepareOnce(Whole.self) }
    #expect(throws: TemplateError.self) { try set.prepareOnce(Whole.self) }
    #expect(throws: TemplateError.self) { try set.prepareOnce(Part.self) }
    #expect(set.components.isEmpty)
  }

  @Test func `a raw field of a component in a form stops the start`() {
    let library = TemplateLibrary(sources: [
      "Model": "{{#add}}<input {{name}}>{{part}}{{/add}}", "Part": "<p>\n<input name=\"raw\"></p>",
    ])
    let slots: Slots<Model> = [
      .form("add", Self.add), .field("name", Self.name), .component("part") { _ in Part() },
    ]

    let error = #expect(throws: TemplateError.self) {
      try TemplateSet(library: library).compile(Template<Model>(named: "Model", slots))
    }

    #expect(error?.description.hasPrefix("Part.mustache:2:8: a field of a form is a slot") == true)
  }

  @Test(arguments: [
    "<p>Your name= is what? <b>\(used)</b></p>", "\(used)<input name=\"outside\">",
    "{{#add}}Enter a name = text <br><input {{name}} data-name=\"a\">{{/add}}",
    "\(used)<form method=\"get\"></form>",
  ])
  func `elements that are not fields are allowed in a form`(template: String) {
    #expect(self.failure(template) == "it compiles")
  }

  @Test func `two forms of a product with one name stop the start`() {
    let failure = self.failure(
      "\(Self.used)\n{{#again}}{{/again}}",
      [.form("add", Self.add), .field("name", Self.name), .form("again", Self.again)]
    )

    #expect(
      failure.hasPrefix(
        "Model.mustache:2:1: two forms of FixtureAction have the name \"add\": "
          + "ImmutableUITests/FormRegistrationTests.swift:"
      ),
      "\(failure)"
    )
  }

  @Test func `a slot with another field than the form's stops the start`() {
    let failure = self.failure(
      Self.used,
      [.form("add", Self.add), .field("name", Field.text("name", required: "Enter a name."))]
    )

    #expect(
      failure.hasPrefix("Model.mustache:1:16: the field \"name\" differs from that of the form"),
      "\(failure)"
    )
  }

  private struct Sheets: LocalState {
    var one = Presented<String>()
    var two = Presented<String>()

    static let parameters: [Parameter<Self>] = [
      Parameter("one", \.one), Parameter("two", \.two),
    ]
  }

  @Test(arguments: [true, false])
  func `a form that closes one thing or another stops the start`(isInRow: Bool) {
    let other: Slot<Model> =
      isInRow ? .form("other", Self.again) : .form("other", Self.again, closing: \Sheets.two)

    let failure = self.failure(
      "{{#again}}{{/again}}\n{{#other}}{{/other}}",
      [.form("again", Self.again, closing: \Sheets.one), other]
    )

    #expect(
      failure.hasPrefix(
        "Model.mustache:2:1: in another template, the form \"add\" closes nothing, or something else"
      ),
      "\(failure)"
    )
  }

  private struct OtherSheets: LocalState {
    var sheet = Presented<String>()

    static let parameters: [Parameter<Self>] = [Parameter("sheet", \.sheet)]
  }

  @Test func `a form can close something of each of two pages`() {
    let failure = self.failure(
      "{{#again}}{{/again}}{{#other}}{{/other}}",
      [
        .form("again", Self.again, closing: \Sheets.one),
        .form("other", Self.again, closing: \OtherSheets.sheet),
      ]
    )

    #expect(failure == "it compiles")
  }

  @Test func `a list or a region in a row of a list stops the start`() {
    func failure(_ template: String, _ slot: Slot<Item>) -> String {
      self.failure(
        "<ul data-list=\"rows\">{{#rows}}<li>\n\(template)</li>{{/rows}}</ul>",
        [.rows("rows", [slot]) { _ in [Item]() }]
      )
    }
    let list = failure(
      "<ol data-list=\"inner\">{{#inner}}<li></li>{{/inner}}</ol>",
      .rows("inner", []) { _ in [Item]() }
    )
    let region = failure("{{detail}}", .region("detail") { _ in Part() })

    #expect(list.contains(":2:23: the list \"inner\" is inside a row of a list"), "\(list)")
    #expect(region.contains(":2:1: the region \"detail\" is inside a row"), "\(region)")
  }

  private struct Sorted: LocalState {
    var order: Order?

    static let parameters: [Parameter<Self>] = [Parameter(field, \.order)]
    static let field = Field<Order>.choice("order", of: [.forward], "Choose.")
  }

  @Test func `a select that may be empty has a prompt`() {
    let field = Sorted.field.optional()
    let form = Form<FixtureAction>("sort", fields: field) { _ in .ui(.onTapTickButton) }
    let posted = "{{#sort}}<select {{order}}>{{order.options}}</select>{{/sort}}"

    let failures = [
      self.failure(posted, [.form("sort", form), .field("order", field)]),
      self.failure(posted, [.localForm("sort", Sorted.self), .field("order", Sorted.field)]),
    ]

    for failure in failures {
      #expect(
        failure.hasPrefix("Model.mustache:1:18: the field \"order\" may be left empty"),
        "\(failure)")
    }
    // These choices may have an empty one.
    #expect(
      self.failure(
        posted, [.form("sort", form), .field("order", field, options: { _ in [] })]
      ) == "it compiles")
  }

  @Test func `what no browser could show is a programmer error`() async {
    await #expect(processExitsWith: .failure) {
      _ = Field<[String]>.several("a", .buttons, of: ["a"])
    }
    await #expect(processExitsWith: .failure) {
      _ = Form<FixtureAction>("save item") { .ui(.onTapTickButton) }
    }
  }

  @Test(
    arguments: [
      ("2", 2), ("2.0", 2), ("1e1", 10), ("-3", -3), ("2.5", nil), ("1e99", nil), ("nan", nil),
      ("", nil), ("101", nil),
    ] as [(String, Int?)])
  func `a whole number may be written as browsers let people write it`(text: String, value: Int?) {
    let field = Field<Int>.number("n", "Enter a number.", in: -10...100)

    #expect((try? field.read([text])) == value)
  }

  @Test func `a day is a day of the calendar, in the range`() throws {
    let range = try #require(CalendarDay("2024-02-01"))...#require(CalendarDay("2024-02-29"))
    let field = Field.date("day", "Choose a day in February.", in: range)

    #expect(try field.read(["2024-02-29"]).description == "2024-02-29")
    for text in ["2024-03-01", "2024-02-30", "tomorrow", "0000000000", ""] {
      #expect(throws: Refusal.self) { try field.read([text]) }
    }
    let day = try #require(CalendarDay("0001-02-03"))
    #expect(try JSONDecoder().decode(CalendarDay.self, from: JSONEncoder().encode(day)) == day)
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(CalendarDay.self, from: Data("\"2024-02-30\"".utf8))
    }
  }

  @Test func `a time is a time of day, in the range`() throws {
    let range = try #require(TimeOfDay(hour: 9))...#require(TimeOfDay("21:45"))
    let field = Field.time("begins", "Choose a time from 09:00 to 21:45.", in: range)

    for text in ["09:00", "18:30", "21:45"] {
      #expect(try field.read([text]).description == text)
    }
    for text in ["08:59", "21:46", "9:00", "18:30:00", "24:00", "18:60", "noon", ""] {
      let refusal = #expect(throws: Refusal.self) { try field.read([text]) }
      #expect(refusal?.fields == ["begins": "Choose a time from 09:00 to 21:45."])
    }
    let time = try #require(TimeOfDay("00:05"))
    #expect(try JSONDecoder().decode(TimeOfDay.self, from: JSONEncoder().encode(time)) == time)
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(TimeOfDay.self, from: Data("\"24:00\"".utf8))
    }
  }

  @Test func `a day and a time are a date in a time zone`() throws {
    let berlin = try #require(TimeZone(identifier: "Europe/Berlin"))
    let (day, time) = (try #require(CalendarDay("2026-11-26")), try #require(TimeOfDay("18:30")))

    let date = day.date(at: time, in: berlin)

    #expect(date == (try Date("2026-11-26T17:30:00Z", strategy: .iso8601)))
    #expect(CalendarDay(of: date, in: berlin) == day)
    #expect(TimeOfDay(of: date, in: berlin) == time)
    // Clocks are put forward from 02:00 to 03:00.
    let skipped = try #require(CalendarDay("2026-03-29")).date(
      at: try #require(TimeOfDay("02:30")), in: berlin)
    #expect(TimeOfDay(of: skipped, in: berlin).description == "03:30")
  }

  @Test(arguments: [
    // Clocks are put back from 03:00 to 02:00.
    ("2026-10-25", "02:30", "Europe/Berlin", "2026-10-25T00:30:00Z"),
    // Samoa skipped this day.
    ("2011-12-30", "18:30", "Pacific/Apia", "2011-12-31T04:30:00Z"),
  ])
  func `a time that comes twice is the first, and a skipped day is the next one`(
    day: String, time: String, zone: String, expected: String
  ) throws {
    let timeZone = try #require(TimeZone(identifier: zone))

    let date = try #require(CalendarDay(day)).date(at: #require(TimeOfDay(time)), in: timeZone)

    #expect(date == (try Date(expected, strategy: .iso8601)))
  }

  @Test func `a parameter may be as long as its field`() {
    struct Local: LocalState {
      var search = ""

      static let parameters: [Parameter<Self>] = [Parameter(field, \.search)]
      static let field = Field.text("search", limit: 100)
    }
    let text = String(repeating: "\u{3042}", count: 100)

    #expect(Local(Query([QueryItem(name: "search", value: text)])).search == text)
  }

  @Test func `a textarea without its text stops the start`() {
    let failure = self.failure(
      "{{#write}}<textarea {{notes}}></textarea>{{/write}}",
      [.form("write", Self.write), .field("notes", Self.notes)]
    )

    #expect(failure.hasPrefix("Model.mustache:1:1: of the field \"notes\""), "\(failure)")
  }

  @Test func `an unused form in a part or in rows stops the start`() {
    let inPart = self.failure(
      "{{#part}}{{/part}}",
      [.optional("part", [.form("again", Self.again)]) { $0 }]
    )
    let inRows = self.failure(
      "<ul data-list=\"rows\">{{#rows}}<li></li>{{/rows}}</ul>",
      [.rows("rows", [.form("again", Self.again)]) { _ in [Item]() }]
    )

    #expect(inPart.contains("the form \"add\" (ImmutableUITests/FormRegistrationTests.swift:"))
    #expect(inRows.contains("the form \"add\" (ImmutableUITests/FormRegistrationTests.swift:"))
  }
}
