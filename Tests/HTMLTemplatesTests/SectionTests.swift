import HTMLTemplates
import Testing

struct SectionTests {
  @Test(arguments: [(true, "(wild)"), (false, "()")])
  func `a flag shows its section, or does not`(isWild: Bool, expected: String) throws {
    #expect(try render("({{#isWild}}wild{{/isWild}})", Animal(isWild: isWild)) == expected)
  }

  @Test(arguments: [(true, "()"), (false, "(tame)")])
  func `a flag shows its inverted section the other way round`(
    isWild: Bool,
    expected: String
  ) throws {
    #expect(try render("({{^isWild}}tame{{/isWild}})", Animal(isWild: isWild)) == expected)
  }

  @Test(arguments: [("", "no name"), ("Bee", "[Bee, Bee of 6]"), (" ", "[ ,   of 6]")])
  func `a text section shows unless the text is empty`(name: String, expected: String) throws {
    let html = try render(
      "{{#name}}[{{.}}, {{name}} of {{legs}}]{{/name}}{{^name}}no name{{/name}}",
      Animal(name: name)
    )

    #expect(html == expected)
  }

  @Test(arguments: [(String?.none, "none"), ("", "none"), ("Bo", "<Bo>")])
  func `optional text can be a section too`(nickname: String?, expected: String) throws {
    let html = try render(
      "{{#nickname}}<{{.}}>{{/nickname}}{{^nickname}}none{{/nickname}}",
      Animal(nickname: nickname)
    )

    #expect(html == expected)
  }

  @Test func `a dot stands for the innermost text`() throws {
    let html = try render(
      "{{#name}}{{.}}{{#nickname}}{{.}}{{#.}}!{{/.}}{{/nickname}}{{.}}{{/name}}",
      Animal(name: "A", nickname: "B")
    )

    #expect(html == "AB!A")
  }

  @Test func `a required part always shows`() throws {
    let html = try render("{{#keeper}}{{name}} {{phone}}{{/keeper}}{{^keeper}}none{{/keeper}}")

    #expect(html == "Kim 555")
  }

  @Test(arguments: [(Keeper?.none, "alone"), (Keeper(name: "Pat"), "with Pat")])
  func `an optional part shows one section or the other`(
    friend: Keeper?,
    expected: String
  ) throws {
    let html = try render(
      "{{#friend}}with {{name}}{{/friend}}{{^friend}}alone{{/friend}}",
      Animal(friend: friend)
    )

    #expect(html == expected)
  }

  @Test(arguments: [([], "none"), (["a"], "<a>"), (["a", "b", "a"], "<a><b><a>")])
  func `a list shows a section for each element`(names: [String], expected: String) throws {
    let html = try render(
      "{{#cubs}}<{{name}}>{{/cubs}}{{^cubs}}none{{/cubs}}",
      Animal(cubs: names.map { Cub(name: $0) })
    )

    #expect(html == expected)
  }

  @Test func `a list of texts names its elements with a dot`() throws {
    let html = try render(
      "{{#keeper}}{{#towns}}<{{.}}>{{/towns}}{{/keeper}}",
      Animal(keeper: Keeper(towns: ["Ulm", "Bonn"]))
    )

    #expect(html == "<Ulm><Bonn>")
  }

  @Test func `a wrapper writes around what its section holds`() throws {
    let html = try render("{{#form}}<b>{{name}}</b>{{/form}}", Animal(name: "A&B"))

    #expect(html == "<form id=\"A&amp;B\"><b>A&amp;B</b></form>")
  }

  @Test func `a wrapper may write its content several times, or never`() throws {
    let slots: Slots<Animal> = [
      .text("name") { $0.name },
      .wrapper("twice") { _, writer, content in
        content(&writer)
        content(&writer)
      },
      .wrapper("never") { _, _, _ in },
    ]

    let html = try render(
      "{{#twice}}{{name}};{{/twice}}{{#never}}{{name}}{{/never}}",
      slots,
      Animal()
    )

    #expect(html == "Ant;Ant;")
  }

  @Test func `a custom section slot writes its own content`() throws {
    let template = "{{#raw}} <b>{{name}}</b> {{/raw}}{{^raw}}none{{/raw}}"

    let some = try render(template, Animal(cubs: [Cub(name: "x"), Cub(name: "<y>")]))
    let none = try render(template, Animal(cubs: []))

    #expect(some == "<b>x</b><b>&lt;y&gt;</b>")
    #expect(none == "none")
  }

  @Test(arguments: [
    ("{{#keeper.isAway}}away{{/keeper.isAway}}{{^keeper.isAway}}here{{/keeper.isAway}}", "away"),
    ("{{#keeper.nickname}}{{.}}{{/keeper.nickname}}", "K"),
    ("{{#keeper.towns}}<{{.}} {{name}}>{{/keeper.towns}}", "<Ulm Ant><Bonn Ant>"),
    ("{{^keeper.towns}}none{{/keeper.towns}}", ""),
    ("{{#keeper.frame}}{{name}}{{/keeper.frame}}", "<div class=\"Kim\">Ant</div>"),
  ])
  func `a dotted name can be a section`(template: String, expected: String) throws {
    let keeper = Keeper(isAway: true, nickname: "K", towns: ["Ulm", "Bonn"])

    #expect(try render(template, Animal(keeper: keeper)) == expected)
  }

  @Test(arguments: [
    ("{{#friend.isAway}}away{{/friend.isAway}}{{^friend.isAway}}here{{/friend.isAway}}", "here"),
    ("{{#friend.nickname}}{{.}}{{/friend.nickname}}", ""),
    ("{{#friend.towns}}{{.}}{{/friend.towns}}{{^friend.towns}}none{{/friend.towns}}", "none"),
    ("{{#friend.frame}}{{name}}{{/friend.frame}}", ""),
  ])
  func `a dotted name into a missing part is an empty section`(
    template: String,
    expected: String
  ) throws {
    #expect(try render(template, Animal(friend: nil)) == expected)
  }

  @Test func `rows of a part can be named with a dot`() throws {
    let slots: Slots<[Animal]> = [.optional("first", .animal) { $0.first }]
    let template = "{{#first.raw}}<b>{{name}}</b>{{/first.raw}}{{^first.raw}}none{{/first.raw}}"

    let some = try render(template, slots, [Animal(cubs: [Cub(name: "x")])])
    let none = try render(template, slots, [])

    #expect(some == "<b>x</b>")
    #expect(none == "none")
  }

  @Test func `sections can be nested, even with the same name`() throws {
    let html = try render(
      "{{#isWild}}a{{#isWild}}b{{^isWild}}c{{/isWild}}d{{/isWild}}e{{/isWild}}",
      Animal(isWild: true)
    )

    #expect(html == "abde")
  }

  @Test func `white space around a section's name means nothing`() throws {
    let html = try render("{{# isWild }}a{{/\tisWild }}{{^ isWild}}b{{/isWild}}")

    #expect(html == "b")
  }
}
