import HTMLTemplates
import Testing

/// Inner names come first, then those around them.
struct ContextTests {
  private let animal = Animal(
    name: "Ant",
    nickname: "Bo",
    legs: 6,
    isWild: true,
    keeper: Keeper(name: "Kim", legs: 2, towns: ["Ulm"]),
    friend: Keeper(name: "Pat", legs: 3),
    cubs: [Cub(name: "x"), Cub(name: "y")]
  )

  @Test(arguments: [
    ("{{#keeper}}{{name}} {{legs}} {{nickname}}{{/keeper}}", "Kim 2 "),
    ("{{#cubs}}{{name}} {{legs}};{{/cubs}}", "x 6;y 6;"),
    ("{{#cubs}}{{name}} {{keeper.name}};{{/cubs}}", "x Kim;y Kim;"),
    ("{{#cubs}}{{name}} {{nickname}};{{/cubs}}", "x Bo;y Bo;"),
    ("{{#cubs}}{{#isWild}}{{name}}{{/isWild}}{{^isWild}}tame{{/isWild}}{{/cubs}}", "xy"),
    ("{{#cubs}}{{{icon}}}{{/cubs}}", "<svg></svg><svg></svg>"),
    ("{{#friend}}{{#nickname}}{{.}}{{/nickname}}{{^nickname}}none{{/nickname}}{{/friend}}", "none"),
  ])
  func `inner names come first, then outer ones`(template: String, expected: String) throws {
    #expect(try render(template, self.animal) == expected)
  }

  @Test func `scopes nest as deep as the template does`() throws {
    let html = try render(
      "{{#keeper}}{{#friend}}{{#cubs}}{{name}}{{legs}}{{phone}}{{#isWild}}!{{/isWild}};"
        + "{{/cubs}}{{/friend}}{{/keeper}}",
      self.animal
    )

    #expect(html == "x3555!;y3555!;")
  }

  @Test func `a list in a list sees the element around it`() throws {
    let keepers: Slots<[Keeper]> = [.each("keepers", .keeper) { $0 }]
    let html = try render(
      "{{#keepers}}{{#towns}}{{name}} in {{.}};{{/towns}}{{/keepers}}",
      keepers,
      [Keeper(name: "Kim", towns: ["Ulm", "Bonn"]), Keeper(name: "Pat", towns: ["Jena"])]
    )

    #expect(html == "Kim in Ulm;Kim in Bonn;Pat in Jena;")
  }

  @Test(arguments: [
    ("{{#friend}}{{label}}{{/friend}}", "aria-label=\"Ant\""),
    ("{{#cubs}}{{label}}{{/cubs}}", "aria-label=\"Ant\"aria-label=\"Ant\""),
    ("{{#keeper}}{{title}}{{label}}{{/keeper}}", "title=\"Kim\"aria-label=\"Ant\""),
    ("{{#keeper}}{{#cubs}}{{title}};{{/cubs}}{{/keeper}}", "title=\"Kim\";title=\"Kim\";"),
  ])
  func `a writer in an inner section writes its own model`(
    template: String,
    expected: String
  ) throws {
    #expect(try render(template, self.animal) == expected)
  }

  @Test func `a wrapper in an inner section wraps with its own model`() throws {
    let html = try render(
      "{{#cubs}}{{#form}}{{name}}{{/form}}{{/cubs}}"
        + "{{#friend}}{{#form}}{{name}}{{/form}}{{/friend}}",
      self.animal
    )

    #expect(
      html == "<form id=\"Ant\">x</form><form id=\"Ant\">y</form><form id=\"Ant\">Pat</form>"
    )
  }

  @Test func `rows in an inner section are those of their own model`() throws {
    let html = try render(
      "{{#friend}}{{#raw}}<b>{{name}}</b>{{/raw}}{{^raw}}none{{/raw}}{{/friend}}",
      self.animal
    )

    #expect(html == "<b>x</b><b>y</b>")
  }

  @Test func `an optional and a list can be used inside an inner section`() throws {
    let html = try render(
      "{{#keeper}}{{#friend}}{{name}};{{/friend}}{{#cubs}}{{name}};{{/cubs}}{{/keeper}}"
        + "{{#keeper}}{{^friend}}alone{{/friend}}{{/keeper}}",
      self.animal
    )

    #expect(html == "Pat;x;y;")
  }

  @Test func `a dotted name starts at the innermost first part and goes no further out`() throws {
    let inner: Slots<Cub> = [.nested("keeper", .cub) { $0 }]
    let slots: Slots<Animal> = [
      .nested("keeper", .keeper) { $0.keeper }, .each("cubs", inner) { $0.cubs },
    ]

    let html = try render("{{#cubs}}{{keeper.name}}{{/cubs}}", slots, self.animal)
    let message = failure("{{#cubs}}{{keeper.phone}}{{/cubs}}", slots)

    #expect(html == "xy")
    #expect(
      message == "Animal.mustache:1:10: there is no slot \"keeper.phone\". There are: keeper.name."
    )
  }

  @Test func `a partial in an inner section sees the same names`() throws {
    let html = try render(
      "{{#cubs}}{{>Cub}}{{/cubs}}",
      self.animal,
      partials: ["Cub": "{{name}} of {{keeper.name}}, {{legs}};"]
    )

    #expect(html == "x of Kim, 6;y of Kim, 6;")
  }

  @Test func `a text section in an inner section has the outer text behind its dot`() throws {
    let html = try render(
      "{{#nickname}}{{#cubs}}{{.}}{{name}};{{/cubs}}{{/nickname}}",
      self.animal
    )

    #expect(html == "Box;Boy;")
  }
}
