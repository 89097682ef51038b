import HTMLTemplates
import Testing

/// Names that a model does not have, or not like that.
struct SlotErrorTests {
  private static let known =
    "There are: cubs, form, friend, icon, isWild, keeper, label, legs, name, nickname, raw."
  private static let members =
    "There are: keeper.frame, keeper.isAway, keeper.legs, keeper.name, keeper.nickname, "
    + "keeper.phone, keeper.photo, keeper.title, keeper.towns."

  @Test(arguments: [
    ("{{nam}}", "1:1: there is no slot \"nam\"; did you mean \"name\"? \(Self.known)"),
    ("\n {{Name}}", "2:2: there is no slot \"Name\"; did you mean \"name\"? \(Self.known)"),
    ("{{{ikon}}}", "1:1: there is no slot \"ikon\"; did you mean \"icon\"? \(Self.known)"),
    (
      "{{#iswild}}{{/iswild}}",
      "1:1: there is no slot \"iswild\"; did you mean \"isWild\"? \(Self.known)"
    ),
    ("{{^zebra}}{{/zebra}}", "1:1: there is no slot \"zebra\". \(Self.known)"),
    ("{{two words}}", "1:1: there is no slot \"two words\". \(Self.known)"),
    ("{{.}}", "1:1: there is no slot \".\". \(Self.known)"),
    ("{{.name}}", "1:1: there is no slot \".name\"; did you mean \"name\"? \(Self.known)"),
    ("{{name.}}", "1:1: there is no slot \"name.\"; did you mean \"name\"? \(Self.known)"),
    ("{{name.first}}", "1:1: there is no slot \"name.first\". \(Self.known)"),
    ("{{=<% %>=}}", "1:1: there is no slot \"=<% %>=\". \(Self.known)"),
  ])
  func `a name must be a slot`(template: String, message: String) {
    #expect(failure(template) == "Animal.mustache:\(message)")
  }

  @Test(arguments: [
    ("{{keeper.nome}}", "\"keeper.nome\"; did you mean \"keeper.name\"? \(Self.members)"),
    ("{{#keeper.zoo}}{{/keeper.zoo}}", "\"keeper.zoo\". \(Self.members)"),
    ("{{keeper..name}}", "\"keeper..name\"; did you mean \"keeper.name\"? \(Self.members)"),
    ("{{keper.name}}", "\"keper.name\". \(Self.known)"),
    ("{{cubs.name}}", "\"cubs.name\". \(Self.known)"),
    ("{{#cubs.name}}{{/cubs.name}}", "\"cubs.name\". \(Self.known)"),
  ])
  func `a dotted name must be a slot of the part`(template: String, message: String) {
    #expect(failure(template) == "Animal.mustache:1:1: there is no slot \(message)")
  }

  @Test func `an unknown name deep in a part shows that part's names`() {
    let town: Slots<String> = [.text("name") { $0 }, .text("mayor") { $0 }]
    let keeper: Slots<Keeper> = [.nested("town", town) { $0.name }]

    let message = failure(
      "{{keeper.town.nane}}",
      Slots<Animal>([.nested("keeper", keeper) { $0.keeper }])
    )

    #expect(
      message == "Animal.mustache:1:1: there is no slot \"keeper.town.nane\"; did you mean "
        + "\"keeper.town.name\"? There are: keeper.town.mayor, keeper.town.name."
    )
  }

  @Test func `an unknown name in a section shows inner and outer names`() {
    #expect(
      failure("{{#cubs}}{{zebra}}{{/cubs}}") == "Animal.mustache:1:10: there is no slot \"zebra\". "
        + Self.known
    )
    #expect(
      failure("{{#name}}{{zebra}}{{/name}}") == "Animal.mustache:1:10: there is no slot \"zebra\". "
        + Self.known
    )
  }

  @Test func `a model without slots has none to show`() {
    #expect(
      failure("{{name}}", Slots<Animal>([]))
        == "Animal.mustache:1:1: there is no slot \"name\". There are none."
    )
  }

  @Test(arguments: ["{{{name}}}", "{{&name}}"])
  func `only HTML is written raw`(template: String) {
    #expect(
      failure(template) == "Animal.mustache:1:1: \"name\" is not HTML: expected {{name}}"
    )
  }

  @Test(arguments: ["nickname", "legs", "label", "keeper.name", "keeper.legs", "friend.title"])
  func `nothing else is written raw`(name: String) {
    #expect(
      failure("{{{\(name)}}}")
        == "Animal.mustache:1:1: \"\(name)\" is not HTML: expected {{\(name)}}"
    )
  }

  @Test func `a text section's dot is not written raw`() {
    #expect(
      failure("{{#name}}{{{.}}}{{/name}}")
        == "Animal.mustache:1:10: \".\" is not HTML: expected {{.}}"
    )
  }

  @Test(arguments: ["icon", "keeper.photo", "friend.photo"])
  func `HTML needs three braces`(name: String) {
    #expect(
      failure("{{\(name)}}")
        == "Animal.mustache:1:1: \"\(name)\" is HTML: expected {{{\(name)}}}"
    )
  }

  @Test(
    arguments: ["isWild", "keeper", "friend", "cubs", "form", "raw", "keeper.isAway"],
    [("{{", "}}"), ("{{{", "}}}")]
  )
  func `a slot without text cannot be a value`(name: String, braces: (open: String, close: String))
  {
    #expect(
      failure("\(braces.open)\(name)\(braces.close)") == "Animal.mustache:1:1: \"\(name)\" "
        + "has no text: expected {{#\(name)}}…{{/\(name)}}"
    )
  }

  @Test(arguments: [
    ("label", "{{label}}"), ("icon", "{{{icon}}}"),
    ("keeper.title", "{{keeper.title}}"), ("friend.photo", "{{{friend.photo}}}"),
  ])
  func `a slot with only text cannot be a section`(name: String, expected: String) {
    #expect(
      failure("{{#\(name)}}{{/\(name)}}")
        == "Animal.mustache:1:1: \"\(name)\" cannot be a section: expected \(expected)"
    )
  }

  @Test(arguments: ["label", "icon", "form", "keeper.title", "keeper.frame", "endless"])
  func `a slot that is never empty cannot be an inverted section`(name: String) {
    let slots = Slots<Animal>([
      .writer("label") { _, _ in },
      .html("icon") { $0.icon },
      .wrapper("form") { _, _, _ in },
      .nested("keeper", .keeper) { $0.keeper },
      .section("endless") { _ in { _, _ in } },
    ])

    #expect(
      failure("{{^\(name)}}{{/\(name)}}", slots)
        == "Animal.mustache:1:1: \"\(name)\" cannot be an inverted section"
    )
  }

  @Test func `two slots with one name are a programmer error`() async {
    await #expect(processExitsWith: .failure) {
      _ = Slots<Animal>([.text("name") { $0.name }, .text("name") { $0.legs }])
    }
  }
}
