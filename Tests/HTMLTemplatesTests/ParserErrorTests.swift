import Testing

/// What is wrong with a template whatever its model.
struct ParserErrorTests {
  @Test(arguments: [
    ("{{#isWild}}", "1:1: \"isWild\" is opened here and never closed: expected {{/isWild}}"),
    (
      "a\n  {{^isWild}}\nb",
      "2:3: \"isWild\" is opened here and never closed: expected {{/isWild}}"
    ),
    ("{{$title}}", "1:1: \"title\" is opened here and never closed: expected {{/title}}"),
    ("{{<Layout}}", "1:1: \"Layout\" is opened here and never closed: expected {{/Layout}}"),
    (
      "{{#isWild}}\n{{#cubs}}\n{{/cubs}}{{#keeper}}",
      "3:10: \"keeper\" is opened here and never closed: expected {{/keeper}}"
    ),
  ])
  func `an opened section must be closed`(template: String, message: String) {
    #expect(failure(template) == "Animal.mustache:\(message)")
  }

  @Test(arguments: [
    (
      "{{#isWild}}\n{{/isTame}}",
      "2:1: {{/isTame}} found, but \"isWild\" is open since line 1: expected {{/isWild}}"
    ),
    (
      "{{#cubs}}\n {{#keeper}}{{/cubs}}{{/keeper}}",
      "2:13: {{/cubs}} found, but \"keeper\" is open since line 2: expected {{/keeper}}"
    ),
    ("{{/name}}", "1:1: {{/name}} closes nothing: \"name\" is not open"),
    ("{{#cubs}}{{/cubs}}\n\t{{/cubs}}", "2:2: {{/cubs}} closes nothing: \"cubs\" is not open"),
  ])
  func `a closing tag must match the last opened section`(template: String, message: String) {
    #expect(failure(template) == "Animal.mustache:\(message)")
  }

  @Test(arguments: [
    ("{{", "1:1: the tag is never closed: expected }}"),
    ("a {{name", "1:3: the tag is never closed: expected }}"),
    ("a\r\nbc{{name}", "2:3: the tag is never closed: expected }}"),
    ("{{{icon}}", "1:1: the tag is never closed: expected }}}"),
    ("{{!", "1:1: the tag is never closed: expected }}"),
    ("<p>{{name</p>\n<p>{{legs}}</p>", "1:4: the tag is never closed: expected }}"),
    ("{{#isWild}}{{name{{/isWild}}", "1:12: the tag is never closed: expected }}"),
    ("{{{icon}} {{{icon}}}", "1:1: the tag is never closed: expected }}}"),
  ])
  func `a tag must be closed`(template: String, message: String) {
    #expect(failure(template) == "Animal.mustache:\(message)")
  }

  @Test(arguments: [
    "{{}}", "{{ }}", "{{{}}}", "{{#}}", "{{^}}", "{{/ }}", "{{>\n}}", "{{<}}", "{{$}}", "{{&}}",
  ])
  func `a tag must not be empty`(tag: String) {
    #expect(failure("é\n \(tag)") == "Animal.mustache:2:2: the tag is empty: expected a name")
  }

  @Test func `lines and columns are counted across everything before`() {
    let template = "é😀 {{name}} {{! two\nlines }}\r\n{{#isWild}}\n{{/isWild}}\n  ü{{legs}}{{}}"

    #expect(failure(template) == "Animal.mustache:5:12: the tag is empty: expected a name")
  }
}
