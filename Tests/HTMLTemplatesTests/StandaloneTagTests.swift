import Testing

/// A tag other than a value that is alone on its line takes the line with it.
///
/// Source: the mustache specification's tests of the same names.
struct StandaloneTagTests {
  private let animal = Animal(isWild: true)

  @Test(arguments: [
    ("|\n{{#isWild}}\n|\n{{/isWild}}\n|", "|\n|\n|"),
    ("|\n{{^friend}}\n|\n{{/friend}}\n|", "|\n|\n|"),
    ("|\n{{#form}}\nx\n{{/form}}\n|", "|\n<form id=\"Ant\">x\n</form>|"),
    ("|\n{{! comment }}\n|", "|\n|"),
    ("|\n{{!\n  two\n  lines\n}}\n|", "|\n|"),
    ("|\n{{$block}}\nx\n{{/block}}\n|", "|\nx\n|"),
    ("|\n{{>Partial}}\n|", "|\npartial|"),
    ("|\n{{<Layout}}\n{{/Layout}}\n|", "|\n[layout]|"),
    ("|\n{{<Layout}}\n{{$block}}\nx\n{{/block}}\n{{/Layout}}\n|", "|\n[x\n]|"),
  ])
  func `standalone lines are removed`(template: String, expected: String) throws {
    #expect(try self.render(template) == expected)
  }

  @Test(arguments: [
    ("|\n  {{#isWild}}\n|\n\t{{/isWild}} \t\n|", "|\n|\n|"),
    ("|\n  {{^friend}}  \n|\n  {{/friend}}\n|", "|\n|\n|"),
    ("|\n  {{! comment }}  \n|", "|\n|"),
    ("|\n  {{$block}}\n x\n  {{/block}}\n|", "|\n x\n|"),
    ("|\n  {{>Partial}}\n|", "|\n  partial|"),
    ("|\n  {{<Layout}}\n  {{/Layout}}\n|", "|\n[layout]|"),
  ])
  func `indented standalone lines are removed`(template: String, expected: String) throws {
    #expect(try self.render(template) == expected)
  }

  @Test(arguments: [
    ("|\r\n{{#isWild}}\r\n{{/isWild}}\r\n|", "|\r\n|"),
    ("|\r\n{{^friend}}\r\n{{/friend}}\r\n|", "|\r\n|"),
    ("|\r\n{{! comment }}\r\n|", "|\r\n|"),
    ("|\r\n{{$block}}\r\nx\r\n{{/block}}\r\n|", "|\r\nx\r\n|"),
    ("|\r\n{{>Partial}}\r\n|", "|\r\npartial|"),
    ("|\r\n{{<Layout}}\r\n{{/Layout}}\r\n|", "|\r\n[layout]|"),
    ("|\r\n{{name}}\r\n|", "|\r\nAnt\r\n|"),
  ])
  func `a carriage return belongs to the end of its line`(
    template: String,
    expected: String
  ) throws {
    #expect(try self.render(template) == expected)
  }

  @Test(arguments: [
    ("  {{#isWild}}\n|\n{{/isWild}}\n|", "|\n|"),
    ("  {{^friend}}\n|\n{{/friend}}\n|", "|\n|"),
    ("  {{! comment }}\n|", "|"),
    ("  {{>Partial}}\n|", "  partial|"),
    ("  {{<Layout}}\n{{/Layout}}\n|", "[layout]|"),
  ])
  func `the first line can be standalone`(template: String, expected: String) throws {
    #expect(try self.render(template) == expected)
  }

  @Test(arguments: [
    ("|\n{{#isWild}}\n|\n  {{/isWild}}", "|\n|\n"),
    ("|\n{{^friend}}\n|\n  {{/friend}}", "|\n|\n"),
    ("|\n  {{! comment }}", "|\n"),
    ("|\n  {{>Partial}}", "|\n  partial"),
    ("|\n{{<Layout}}\n  {{/Layout}}", "|\n[layout]"),
    ("|\n{{$block}}\nx\n  {{/block}}", "|\nx\n"),
  ])
  func `the last line can be standalone without a newline`(
    template: String,
    expected: String
  ) throws {
    #expect(try self.render(template) == expected)
  }

  @Test(arguments: [
    (" {{#isWild}}x{{/isWild}}\n {{#isWild}}y{{/isWild}}\n", " x\n y\n"),
    (" | {{#isWild}}\t|\t{{/isWild}} | \n", " | \t|\t | \n"),
    (" | {{#isWild}} {{! comment }}\n {{/isWild}} | \n", " |  \n  | \n"),
    ("  12 {{! comment }}\n", "  12 \n"),
    ("{{! comment }} 12\n", " 12\n"),
    ("  {{$block}}x{{/block}}\n|", "  x\n|"),
    ("  | {{>Partial}}\n|", "  | partial\n|"),
    ("{{#isWild}}{{! comment }}\nx{{/isWild}}", "\nx"),
    ("{{! two\nlines }} x\n", " x\n"),
  ])
  func `tags on a line with other content leave it unchanged`(
    template: String,
    expected: String
  ) throws {
    #expect(try self.render(template) == expected)
  }

  @Test(arguments: [
    ("  {{name}}\n", "  Ant\n"),
    ("  {{{icon}}}\n", "  <svg></svg>\n"),
    ("\t{{&icon}}\n", "\t<svg></svg>\n"),
    ("  {{#name}}\n  {{.}}\n  {{/name}}\n", "  Ant\n"),
  ])
  func `values are never standalone`(template: String, expected: String) throws {
    #expect(try self.render(template) == expected)
  }

  @Test func `empty lines stay`() throws {
    #expect(try self.render("\n\n{{#isWild}}\n\n{{/isWild}}\n\n") == "\n\n\n\n")
  }

  @Test func `sections on lines of their own leave a clean list`() throws {
    let animal = Animal(cubs: [Cub(name: "x"), Cub(name: "y")])
    let template = "<ul>\n  {{#cubs}}\n  <li>{{name}}</li>\n  {{/cubs}}\n</ul>\n"

    let html = try HTMLTemplatesTests.render(template, animal)

    #expect(html == "<ul>\n  <li>x</li>\n  <li>y</li>\n</ul>\n")
  }

  private func render(_ template: String) throws -> String {
    try HTMLTemplatesTests.render(
      template,
      self.animal,
      partials: ["Partial": "partial", "Layout": "[{{$block}}layout{{/block}}]"]
    )
  }
}
