import HTMLTemplates
import Testing

struct InterpolationTests {
  @Test func `a template without tags is written unchanged`() throws {
    let html = try render("<p class='a'>Hello, \"you\" & me — ε</p>\n")

    #expect(html == "<p class='a'>Hello, \"you\" & me — ε</p>\n")
  }

  @Test func `an empty template writes nothing`() throws {
    #expect(try render("") == "")
  }

  @Test func `names become values`() throws {
    let html = try render("<p>{{name}} has {{legs}} legs</p>", Animal(name: "Bee", legs: 6))

    #expect(html == "<p>Bee has 6 legs</p>")
  }

  @Test func `any describable value can be text`() throws {
    let slots: Slots<Animal> = [
      .text("count") { $0.cubs.count },
      .text("half") { Double($0.legs) / 2 },
      .text("isWild") { $0.isWild },
      .text("literal") { $0.isWild ? "wild" : "tame" },
      .text("part") { $0.name.prefix(2) },
    ]

    let html = try render("{{count}} {{half}} {{isWild}} {{literal}} {{part}}", slots, Animal())

    #expect(html == "0 3.0 false tame An")
  }

  @Test(arguments: ["{{name}}", "{{ name }}", "{{\tname\n}}"])
  func `white space around a name means nothing`(template: String) throws {
    #expect(try render("|\(template)|") == "|Ant|")
  }

  @Test func `adjacent values are written without anything between`() throws {
    #expect(try render("{{name}}{{legs}}{{name}}") == "Ant6Ant")
  }

  @Test(arguments: [0, -1, 9_007_199_254_740_993, Int.min, Int.max])
  func `a number is written in full`(number: Int) throws {
    #expect(try render("{{legs}}", Animal(legs: number)) == String(number))
  }

  @Test(arguments: [(String?.none, "()"), ("", "()"), ("Bo", "(Bo)")])
  func `missing text writes nothing`(nickname: String?, expected: String) throws {
    #expect(try render("({{nickname}})", Animal(nickname: nickname)) == expected)
  }

  @Test(arguments: ["{{{icon}}}", "{{&icon}}", "{{{ icon }}}", "{{& icon }}"])
  func `an HTML slot is written unchanged`(template: String) throws {
    #expect(try render(template, Animal(icon: "<b>&amp;</b>")) == "<b>&amp;</b>")
  }

  @Test func `a writer slot writes its own output`() throws {
    let html = try render("<p {{label}}></p>", Animal(name: "\"A\" & B"))

    #expect(html == "<p aria-label=\"&quot;A&quot; &amp; B\"></p>")
  }

  @Test(arguments: [
    ("{{keeper.name}}", "Kim"),
    ("{{keeper.legs}}", "2"),
    ("{{{keeper.photo}}}", "<img>"),
    ("{{keeper.title}}", "title=\"Kim\""),
    ("{{keeper.nickname}}", ""),
  ])
  func `a dotted name reads a slot of a part`(template: String, expected: String) throws {
    #expect(try render(template) == expected)
  }

  @Test(arguments: ["name", "legs", "title", "nickname"])
  func `a dotted name into a missing part writes nothing`(name: String) throws {
    #expect(try render("({{friend.\(name)}})") == "()")
    #expect(try render("({{{friend.photo}}})") == "()")
  }

  @Test func `dotted names reach any depth of parts`() throws {
    let town: Slots<String> = [.text("name") { $0 }]
    let keeper: Slots<Keeper> = [.optional("town", town) { $0.towns.first }]
    let slots: Slots<Animal> = [.nested("keeper", keeper) { $0.keeper }]

    let here = try render("{{keeper.town.name}}", slots, Animal(keeper: Keeper(towns: ["Ulm"])))
    let nowhere = try render("{{keeper.town.name}}", slots, Animal())

    #expect(here == "Ulm")
    #expect(nowhere == "")
  }

  @Test(arguments: [
    ("a{{! comment }}b", "ab"),
    ("a{{!}}b", "ab"),
    ("a{{! two\nlines }}b", "ab"),
    ("a{{!name}} {{! {{name }}b", "a b"),
  ])
  func `comments write nothing`(template: String, expected: String) throws {
    #expect(try render(template) == expected)
  }

  @Test func `braces that do not form a tag are text`() throws {
    #expect(try render("{ {name} } }} {{name}}}") == "{ {name} } }} Ant}")
  }

  @Test func `a combining mark after a tag does not hide its end`() throws {
    #expect(try render("{{name}}\u{301} {{legs}}\u{FE0F}") == "Ant\u{301} 6\u{FE0F}")
  }

  @Test func `one program renders any number of models`() throws {
    let library = TemplateLibrary(sources: ["Animal": "<i>{{name}}</i>"])
    let program = try library.compile("Animal", .animal)
    var writer = HTMLWriter()

    program.render(Animal(name: "Ant"), into: &writer)
    program.render(Animal(name: "Bee"), into: &writer)

    #expect(String(decoding: writer.bytes, as: UTF8.self) == "<i>Ant</i><i>Bee</i>")
  }

  @Test func `a slot is prepared when a template that names it is compiled`() throws {
    struct Unprepared: Error {}
    let slots: Slots<Animal> = [
      .flag("isWild") { $0.isWild },
      .writer("child", compile: { _ in throw Unprepared() }),
    ]
    let library = TemplateLibrary(sources: [
      "Naming": "{{#isWild}}{{child}}{{/isWild}}", "Silent": "{{#isWild}}{{/isWild}}",
    ])

    #expect(throws: Unprepared.self) { _ = try library.compile("Naming", slots) }
    #expect(throws: Never.self) { _ = try library.compile("Silent", slots) }
  }

  @Test func `a slot of a part is prepared too`() throws {
    struct Unprepared: Error {}
    let keeper: Slots<Keeper> = [.writer("child", compile: { _ in throw Unprepared() })]
    let slots: Slots<Animal> = [
      .optional("friend", keeper) { $0.friend },
      .each("cubs", .cub) { $0.cubs },
    ]
    let library = TemplateLibrary(sources: [
      "Dotted": "{{friend.child}}",
      "Section": "{{#friend}}{{child}}{{/friend}}",
      "Outer": "{{#friend}}{{#cubs}}{{child}}{{/cubs}}{{/friend}}",
    ])

    #expect(throws: Unprepared.self) { _ = try library.compile("Dotted", slots) }
    #expect(throws: Unprepared.self) { _ = try library.compile("Section", slots) }
    #expect(throws: Unprepared.self) { _ = try library.compile("Outer", slots) }
  }
}
