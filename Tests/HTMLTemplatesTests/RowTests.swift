import HTMLTemplates
import Testing

/// Sections that their owner compiles row by row, as keyed lists do.
struct RowTests {
  private static let slots: Slots<Animal> = [
    .text("name") { $0.name },
    .flag("isWild") { $0.isWild },
    .section("cubs", isEmpty: { $0.cubs.isEmpty }, { try Self.compile($0) }),
  ]

  private static func compile(
    _ section: TemplateSection
  ) throws -> @Sendable (Animal, inout HTMLWriter) -> Void {
    try section.requireContainer(attribute: "data-list", value: section.name)
    let row = try section.compile(.row) { cub, writer in
      writer.write(" data-key=\"")
      writer.escape(cub.name)
      writer.write("\"")
    }
    return { animal, writer in
      for cub in animal.cubs { row.render(cub, into: &writer) }
    }
  }

  private let animal = Animal(isWild: true, cubs: [Cub(name: "x"), Cub(name: "\"")])

  @Test func `a row gets its attributes right after the name of its element`() throws {
    let html = try self.render(
      "<ul data-list=\"cubs\">{{#cubs}}<li class=\"cub\">{{name}}</li>{{/cubs}}</ul>"
    )

    #expect(
      html == "<ul data-list=\"cubs\"><li data-key=\"x\" class=\"cub\">x</li>"
        + "<li data-key=\"&quot;\" class=\"cub\">&quot;</li></ul>"
    )
  }

  @Test(arguments: ["\n", "\r\n"])
  func `white space around rows is dropped`(newline: String) throws {
    let template = """
      <ul data-list="cubs">
        {{#cubs}}
        <li>
          {{name}}
        </li>
        {{/cubs}}
      </ul>

      """
    let expected = """
      <ul data-list="cubs"><li data-key="x">
          x
        </li><li data-key="&quot;">
          &quot;
        </li></ul>

      """

    let html = try self.render(template.replacing("\n", with: newline))

    #expect(html == expected.replacing("\n", with: newline))
  }

  @Test func `no rows leave an empty container`() throws {
    let html = try HTMLTemplatesTests.render(
      "<ul data-list=\"cubs\">\n{{#cubs}}\n<li></li>\n{{/cubs}}\n</ul>{{^cubs}}none{{/cubs}}",
      Self.slots,
      Animal(cubs: [])
    )

    #expect(html == "<ul data-list=\"cubs\"></ul>none")
  }

  @Test(arguments: [
    "<ul data-list=\"cubs\">", "<ol class=\"a\" data-list=\"cubs\">", "<ul\ndata-list=\"cubs\"\n>",
    "<ul class=\"{{name}}\" data-list=\"cubs\">", "<ul data-list=\"cubs\" class=\"{{name}}\">",
    "<ul data-list=\"cubs\" {{#isWild}}hidden{{/isWild}}>",
    "<ul data-list=\"cubs\" class=\"{{name}}{{name}}\"> {{! comment }} ",
    "{{name}}<p></p> <tbody data-list=\"cubs\">",
  ])
  func `a container may have other attributes`(container: String) throws {
    let template = "\(container){{#cubs}}<li>{{name}}</li>{{/cubs}}</ul>"

    let html = try self.render(template)

    #expect(html.hasSuffix("><li data-key=\"x\">x</li><li data-key=\"&quot;\">&quot;</li></ul>"))
  }

  @Test(arguments: [
    "{{#cubs}}<li>{{name}}</li>{{/cubs}}",
    "<ul>{{#cubs}}<li>{{name}}</li>{{/cubs}}</ul>",
    "<ul data-list=\"kids\">{{#cubs}}<li>{{name}}</li>{{/cubs}}</ul>",
    "<ul x-data-list=\"cubs\">{{#cubs}}<li>{{name}}</li>{{/cubs}}</ul>",
    "<ul data-list=\"cubs\"><li></li>{{#cubs}}<li>{{name}}</li>{{/cubs}}</ul>",
    "<ul data-list=\"cubs\">text{{#cubs}}<li>{{name}}</li>{{/cubs}}</ul>",
    "<ul data-list=\"cubs\">a >{{#cubs}}<li>{{name}}</li>{{/cubs}}</ul>",
    "<ul data-list=\"cubs\">{{name}}{{#cubs}}<li>{{name}}</li>{{/cubs}}</ul>",
    "<ul data-list=\"cubs\">{{#cubs}}<li>{{name}}</li>{{/cubs}}text</ul>",
    "<ul data-list=\"cubs\">{{#cubs}}<li>{{name}}</li>{{/cubs}}{{name}}</ul>",
    "<ul data-list=\"cubs\">{{#cubs}}<li>{{name}}</li>{{/cubs}}<li></li></ul>",
    "<ul data-list=\"cubs\">{{#cubs}}<li>{{name}}</li>{{/cubs}}",
  ])
  func `rows must be alone in their container`(template: String) {
    let before = template.split(separator: "{{#cubs}}", omittingEmptySubsequences: false)[0]

    let message = failure(template, Self.slots)

    #expect(
      message == "Animal.mustache:1:\(before.count + 1): the rows of \"cubs\" have to be alone in "
        + "an element with data-list=\"cubs\": "
        + "expected <ul data-list=\"cubs\">{{#cubs}}…{{/cubs}}</ul>"
    )
  }

  @Test(arguments: [
    ("", "it to start with <element"),
    ("text<li></li>", "it to start with <element"),
    ("{{name}}", "it to start with <element"),
    ("{{#isBig}}<li></li>{{/isBig}}", "it to start with <element"),
    ("< li></li>", "it to start with <element"),
    ("<!-- row --><li></li>", "it to start with <element"),
    ("</li>", "it to start with <element"),
    ("<li>", "it to end with </li>"),
    ("<img>", "it to end with </img>"),
    ("<li></li>text", "it to end with </li>"),
    ("<li></li>{{name}}", "it to end with </li>"),
    ("<li></li><p></p>", "it to end with </li>"),
    ("<li></li><li></li>", "nothing after its </li>"),
    ("<li></li>{{name}}<li></li>", "nothing after its </li>"),
    ("<li>{{name}}</li>{{#isBig}}<p></p>{{/isBig}}<li></li>", "nothing after its </li>"),
  ])
  func `a row must be exactly one element`(row: String, expected: String) {
    let message = failure("<ul data-list=\"cubs\">{{#cubs}}\(row){{/cubs}}</ul>", Self.slots)

    #expect(
      message == "Animal.mustache:1:22: a row of \"cubs\" has to be one element: "
        + "expected \(expected)"
    )
  }

  @Test(arguments: [
    "<li><ul><li>{{name}}</li></ul></li>",
    "<li><link></li>",
    "<li-a><li></li></li-a>",
    "<h2>{{#isBig}}<h2>{{/isBig}}{{^isBig}}<h2>{{/isBig}}</h2></h2>",
    "<li>{{! comment }}</li>",
    "<li{{name}}></li>",
    "<li>1 < 2</li>",
  ])
  func `a row may hold any element`(row: String) {
    let message = failure("<ul data-list=\"cubs\">{{#cubs}}\(row){{/cubs}}</ul>", Self.slots)

    #expect(message == "it compiles")
  }

  @Test func `a row sees its own slots only`() {
    let message = failure(
      "<ul data-list=\"cubs\">{{#cubs}}<li>{{isWild}}</li>{{/cubs}}</ul>",
      Self.slots
    )

    #expect(
      message == "Animal.mustache:1:35: there is no slot \"isWild\". There are: isBig, name, "
        + "parts. (a row sees its own slots only)"
    )
  }

  @Test func `no template can name the attributes of a row`() {
    let message = failure(
      "<ul data-list=\"cubs\">{{#cubs}}<li>{{ {attributes} }}</li>{{/cubs}}</ul>",
      Self.slots
    )

    #expect(
      message == "Animal.mustache:1:35: there is no slot \"{attributes}\". There are: isBig, name, "
        + "parts. (a row sees its own slots only)"
    )
  }

  @Test func `sections in a row see the row around them`() throws {
    let html = try self.render(
      "<ul data-list=\"cubs\">{{#cubs}}<li>{{#parts}}{{.}}{{name}}{{/parts}}</li>{{/cubs}}</ul>"
    )

    #expect(
      html == "<ul data-list=\"cubs\"><li data-key=\"x\">1x2x</li>"
        + "<li data-key=\"&quot;\">1&quot;2&quot;</li></ul>"
    )
  }

  private func render(_ template: String) throws -> String {
    try HTMLTemplatesTests.render(template, Self.slots, self.animal)
  }
}

extension Slots<Cub> {
  fileprivate static var row: Slots<Cub> {
    [
      .text("name") { $0.name },
      .flag("isBig") { _ in true },
      .each("parts", [.text(".") { $0 }]) { _ in ["1", "2"] },
    ]
  }
}
