import HTMLTemplates
import Testing

struct PartialTests {
  @Test func `a partial includes the content of its file`() throws {
    let html = try render(
      "<{{>Name}}>{{> Name }}",
      partials: ["Name": "{{name}}!"]
    )

    #expect(html == "<Ant!>Ant!")
  }

  @Test func `partials name partials, in folders too`() throws {
    let html = try render(
      "{{>parts/Name}}",
      partials: ["parts/Name": "[{{>parts/deep/Name}}]", "parts/deep/Name": "{{name}}"]
    )

    #expect(html == "[Ant]")
  }

  @Test func `a standalone partial's indentation goes before each of its lines`() throws {
    let html = try render(
      "<ul>\n  {{>Items}}\n</ul>\n",
      partials: ["Items": "<li>1</li>\n<li>{{name}}</li>\n"]
    )

    #expect(html == "<ul>\n  <li>1</li>\n  <li>Ant</li>\n</ul>\n")
  }

  @Test(arguments: ["a\r\nb\r\n", "a\r\n\r\nb"])
  func `indentation goes before lines that end with a carriage return`(partial: String) throws {
    let html = try render("  {{>Lines}}\r\n|", partials: ["Lines": partial])

    #expect(
      html == partial.replacing("a", with: "  a").replacing("b", with: "  b")
        .replacing("\r\n\r\n", with: "\r\n  \r\n") + "|"
    )
  }

  @Test func `indentation adds up`() throws {
    let html = try render(
      "  {{>Outer}}\n",
      partials: ["Outer": "<p>\n\t{{>Inner}}\n</p>\n", "Inner": "1\n2\n"]
    )

    #expect(html == "  <p>\n  \t1\n  \t2\n  </p>\n")
  }

  @Test func `indentation goes before neither values nor standalone tags`() throws {
    let html = try render(
      "  {{>Lines}}\n|",
      Animal(name: "1\n2", isWild: true),
      partials: ["Lines": "{{name}}\n {{#isWild}}\n3\n {{/isWild}}\n{{! none }}\n4\n"]
    )

    #expect(html == "  1\n2\n  3\n  4\n|")
  }

  @Test func `a partial between other things keeps its lines as they are`() throws {
    let html = try render("  a {{>Lines}}\n|", partials: ["Lines": "1\n2\n"])

    #expect(html == "  a 1\n2\n\n|")
  }

  @Test func `an error in an indented partial stands where it is in the partial's file`() {
    let message = failure(
      "<ul>\n    {{>Items}}\n</ul>",
      partials: ["Items": "<li>\n  {{#nome}}{{/nome}}</li>"]
    )

    #expect(
      message == "Items.mustache:2:3: there is no slot \"nome\"; did you mean \"name\"? "
        + "There are: cubs, form, friend, icon, isWild, keeper, label, legs, name, nickname, raw."
    )
  }

  @Test func `two partials side by side may be the same`() throws {
    let html = try render(
      "{{>A}}{{#isWild}}{{>A}}{{/isWild}}{{>B}}",
      Animal(isWild: true),
      partials: ["A": "a", "B": "b{{>A}}"]
    )

    #expect(html == "aaba")
  }

  @Test func `an empty partial writes nothing`() throws {
    #expect(try render("a\n  {{>Empty}}\nb", partials: ["Empty": ""]) == "a\nb")
  }
}
