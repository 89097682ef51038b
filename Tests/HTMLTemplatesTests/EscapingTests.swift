import HTMLTemplates
import TestSupport
import Testing

struct EscapingTests {
  private static let specials = [
    ("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("\"", "&quot;"), ("'", "&#39;"),
  ]

  @Test(arguments: Self.specials)
  func `a special character is escaped`(character: String, escape: String) throws {
    let html = try render(
      "<p>{{name}}</p><p title=\"{{name}}\" id='{{nickname}}'>",
      Animal(name: "a\(character)b", nickname: character)
    )

    #expect(html == "<p>a\(escape)b</p><p title=\"a\(escape)b\" id='\(escape)'>")
  }

  @Test(arguments: Self.specials, ["\u{301}", "\u{FE0F}", "\u{200D}", "\u{20DD}"])
  func `a special character with a mark on it is escaped`(
    special: (character: String, escape: String),
    mark: String
  ) throws {
    let html = try render("{{name}}", Animal(name: "\(special.character)\(mark)<"))

    #expect(html == "\(special.escape)\(mark)&lt;")
  }

  @Test(arguments: 0..<70)
  func `a special character is escaped wherever it stands`(offset: Int) {
    let before = String(repeating: "a", count: offset)
    let after = String(repeating: "é", count: 70 - offset)
    var writer = HTMLWriter()

    writer.escape("\(before)<\(after)\"")

    #expect(writer.html == "\(before)&lt;\(after)&quot;")
  }

  @Test func `every other byte is written unchanged`() {
    let text = String(
      String.UnicodeScalarView((0..<0x300).compactMap(Unicode.Scalar.init))
    ).filter { "&<>\"'".contains($0) == false }
    var writer = HTMLWriter()

    writer.escape(text)

    #expect(writer.html == text)
  }

  @Test(arguments: ["&amp;", "&lt;", "&#39;"])
  func `an escape in a text is escaped again`(text: String) throws {
    let html = try render("{{name}}", Animal(name: text))

    #expect(html == "&amp;\(text.dropFirst())")
  }

  @Test(arguments: [
    "{{nickname}}", "{{keeper.name}}", "{{#keeper}}{{name}}{{/keeper}}", "{{friend.name}}",
    "{{#friend}}{{name}}{{/friend}}", "{{#cubs}}{{name}}{{/cubs}}", "{{#name}}{{.}}{{/name}}",
    "{{#nickname}}{{.}}{{/nickname}}", "{{#keeper.towns}}{{.}}{{/keeper.towns}}",
    "{{#keeper}}{{#towns}}{{.}}{{/towns}}{{/keeper}}", "{{keeper.nickname}}",
  ])
  func `text is escaped however it is named`(template: String) throws {
    let text = "<&'\">"
    let keeper = Keeper(name: text, nickname: text, towns: [text])

    let html = try render(
      template,
      Animal(
        name: text,
        nickname: text,
        keeper: keeper,
        friend: keeper,
        cubs: [Cub(name: text)]
      )
    )

    #expect(html == "&lt;&amp;&#39;&quot;&gt;")
  }

  @Test func `random text has no special characters left and unescapes to itself`() {
    let seed = UInt64.random(in: .min ... .max)
    print("EscapingTests seed: \(seed)")
    var generator = SeededGenerator(seed: seed)

    for _ in 0..<2_000 {
      let text = String.random(using: &generator)
      var writer = HTMLWriter()
      writer.escape(text)
      let html = writer.html

      #expect(html.unicodeScalars.contains { "<>\"'".unicodeScalars.contains($0) } == false)
      #expect(html.unescaped.unicodeScalars.elementsEqual(text.unicodeScalars), "seed \(seed)")
    }
  }
}

extension String {
  /// Up to 80 scalars, half of them special characters, escapes, marks and neighbours.
  fileprivate static func random(using generator: inout SeededGenerator) -> String {
    let pieces = [
      "&", "<", ">", "\"", "'", "&amp;", "&lt;", "&#39;", "&quot;", "\u{301}", "\u{0}", "?", "=",
      "\r\n", "😀", "\u{200D}",
    ]
    var text = ""
    for _ in 0..<Int.random(in: 0...80, using: &generator) {
      if Bool.random(using: &generator), let piece = pieces.randomElement(using: &generator) {
        text += piece
      } else if let scalar = Unicode.Scalar(UInt32.random(in: 0...0x2FF, using: &generator)) {
        text.unicodeScalars.append(scalar)
      }
    }
    return text
  }

  /// The text that the HTML stands for; an ampersand that starts no escape becomes `!`.
  fileprivate var unescaped: String {
    let escapes: [(String, Unicode.Scalar)] = [
      ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"),
    ]
    var rest = self.unicodeScalars[...]
    var text = UnicodeScalarView()
    while let first = rest.first {
      if let escape = escapes.first(where: { rest.starts(with: $0.0.unicodeScalars) }) {
        text.append(escape.1)
        rest = rest.dropFirst(escape.0.unicodeScalars.count)
      } else {
        text.append(first == "&" ? "!" : first)
        rest = rest.dropFirst()
      }
    }
    return String(text)
  }
}
