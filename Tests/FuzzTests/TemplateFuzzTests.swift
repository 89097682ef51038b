import Foundation
import HTMLTemplates
import TestSupport
import Testing

/// Templates: a compiler that gives a program or says why not, and programs that escape.
struct TemplateFuzzTests {
  /// What is in every text of the model, between two marks.
  private static let text = "\u{1}<>&\"'\u{301}<\u{1}"
  private static let escaped = "&lt;&gt;&amp;&quot;&#39;\u{301}&lt;"

  private struct Model: Sendable {
    let hasText: Bool
    var text: String? { self.hasText ? TemplateFuzzTests.text : nil }
    var inner: [Bool] = [true, false]
  }

  private static let inner: Slots<Bool> = [
    .text("name") { $0 ? Self.text : "" },
    .optionalText("a") { $0 ? Self.text : nil },
    .flag("flag") { $0 },
  ]

  private static let slots: Slots<Model> = [
    .text("name") { _ in Self.text },
    .optionalText("a") { $0.text },
    .text("number") { _ in Int.min },
    .html("html") { _ in "<b>\u{2}</b>" },
    .flag("flag") { $0.hasText },
    .nested("one", Self.inner) { $0.hasText },
    .optional("some", Self.inner) { $0.inner.first },
    .each("all", Self.inner) { $0.inner },
    .each("texts", [.text(".") { $0 }]) { _ in [Self.text, ""] },
    .writer("attributes") { _, writer in
      writer.write("title=\"")
      writer.escape(Self.text)
      writer.write("\"")
    },
    .wrapper("form") { _, writer, content in
      writer.write("<form>")
      content(&writer)
      content(&writer)
      writer.write("</form>")
    },
  ]

  private static let names =
    [
      "name", "a", "number", "html", "flag", "one", "some", "all", "texts", "attributes", "form",
      ".", "one.name",
    ]
    + [
      "some.a", "all.name", "none", "name.name", "", "..", "a b", "one.", ".a", "\u{301}", "Other",
      "Layout",
    ]
  private static let words =
    [
      "{{", "}}", "{{{", "}}}", "{{#", "{{^", "{{/", "{{>", "{{<", "{{$", "{{!", "{{&", "{{=", "\n",
      "\r\n", "\r", " ", "\t",
    ]
    + ["{", "}", "\u{301}", "\u{0}", "\u{2028}", "<p>", "<input value=\"", "\">"] + names
  private static let real: [String] = {
    let folder = Fuzzing.root.appending(path: "Templates")
    let paths =
      FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
    return paths.filter { $0.hasSuffix(".mustache") }.sorted().compactMap {
      try? String(contentsOf: folder.appending(path: $0), encoding: .utf8)
    }
  }()

  @Test func `a compiled template escapes, or its error has a position`() async throws {
    try #require(Self.real.count > 10)
    var compiled = 0
    try await Fuzzing.run("templates", few: 1_200) { generator in
      let source = Self.source(using: &generator)
      let library = TemplateLibrary(sources: [
        "Main": source,
        "Other": Self.template(depth: 2, using: &generator),
        "Layout": "<{{$block}}" + Self.template(depth: 1, using: &generator) + "{{/block}}>",
      ])

      let program: TemplateProgram<Model>
      do {
        program = try library.compile("Main", Self.slots)
      } catch let error as TemplateError {
        let lines = source.utf8.count { $0 == UInt8(ascii: "\n") } + 1
        guard error.file != "Main.mustache" || (1...lines).contains(error.line), error.line >= 1,
          error.column >= 1, error.message.isEmpty == false
        else { throw Finding("an error without its place, \(error)", source) }
        return
      }
      compiled += 1
      for hasText in [true, false] {
        var writer = HTMLWriter()
        program.render(Model(hasText: hasText), into: &writer)
        try Self.check(writer.bytes, source)
      }
    }
    #expect(compiled > 0)
  }

  private static func check(_ html: [UInt8], _ source: String) throws {
    let parts = html.split(separator: 1, omittingEmptySubsequences: false)
    guard parts.count.isMultiple(of: 2) == false else { throw Finding("a text is cut", source) }
    for index in parts.indices where index.isMultiple(of: 2) == false {
      guard parts[index].elementsEqual(Self.escaped.utf8) else {
        throw Finding(
          "a text is written as \(String(decoding: parts[index], as: UTF8.self))", source)
      }
    }
    // Without a tag a template is itself.
    if source.contains("{{") == false, html.elementsEqual(source.utf8) == false {
      throw Finding("the text is written as \(String(decoding: html, as: UTF8.self))", source)
    }
  }

  /// By the grammar, or a real one; half of them changed.
  private static func source(using generator: inout SeededGenerator) -> String {
    let source =
      generator.once(in: 4)
      ? generator.pick(Self.real)
      : Self.template(depth: generator.pick([1, 2, 3, 20]), using: &generator)
    guard generator.once(in: 2) else { return source }
    var bytes = Array(source.utf8)
    bytes.mutate(Self.words, using: &generator)
    return String(decoding: bytes, as: UTF8.self).replacing("\u{1}", with: "")
  }

  private static func template(depth: Int, using generator: inout SeededGenerator) -> String {
    var text = ""
    for _ in 0..<Int.random(in: 1...(depth > 3 ? 1 : 4), using: &generator) {
      let name = generator.pick(generator.once(in: 4) ? Self.names : Array(Self.names.prefix(13)))
      let content = { (generator: inout SeededGenerator) in
        depth > 0 ? Self.template(depth: depth - 1, using: &generator) : ""
      }
      switch Int.random(in: 0..<11, using: &generator) {
      case 0: text += "{{{\(generator.pick(["html", name]))}}}"
      case 1...3: text += "{{#\(name)}}\(content(&generator)){{/\(name)}}"
      case 4: text += "{{^\(name)}}\(content(&generator)){{/\(name)}}"
      case 5:
        text += generator.pick(["{{>Other}}", "\n  {{> Other }}\n", "{{>Main}}", "{{>../x}}"])
      case 6: text += "{{<Layout}}x{{$block}}\(content(&generator)){{/block}}{{/Layout}}"
      case 7:
        text += generator.pick(["<p title=\"", "\">", "\n", " ", "<br>", "{{! note }}", "\r\n"])
      default: text += "{{\(generator.pick([name, " \(name) "]))}}"
      }
    }
    return text
  }
}
