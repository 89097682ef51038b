import TestSupport
import Testing

@testable import ImmutableRuntime
@testable import WindowTesting

private typealias Edit = HTMLEdits.Edit

private func edits(_ old: String, _ new: String) -> [Edit]? {
  HTMLEdits(from: Array(old.utf8), to: Array(new.utf8))?.edits
}

private func text(_ path: [Int], _ value: String, before child: Int = 0) -> Edit {
  Edit(path: path, target: .text(before: child), value: Array(value.utf8))
}

private func attribute(_ path: [Int], _ name: String, _ value: String?) -> Edit {
  Edit(
    path: path,
    target: .attribute(Array(name.utf8)),
    value: value.map { Array($0.utf8) }
  )
}

struct HTMLEditsTests {
  @Test func `a text names its element`() {
    #expect(edits("<p>1</p><p>2</p>", "<p>1</p><p>3</p>") == [text([1], "3")])
    #expect(
      edits("<ul><li>a<b>b</b></li></ul>", "<ul><li>a<b>c</b></li></ul>") == [text([0, 0, 0], "c")]
    )
  }

  @Test func `a text is before, between or after elements`() {
    #expect(
      edits("<p>a<b>b</b>c<br>d</p>", "<p>x<b>b</b>y<br>z</p>")
        == [text([0], "x"), text([0], "y", before: 1), text([0], "z", before: 2)]
    )
    #expect(edits("a<hr>", "b<hr>") == [text([], "b")])
  }

  @Test func `a text can be added and removed`() {
    #expect(edits("<p></p>", "<p>a</p>") == [text([0], "a")])
    #expect(edits("<p>a</p>", "<p></p>") == [text([0], "")])
  }

  @Test func `an attribute can be changed, added and removed`() {
    #expect(
      edits("<a class=\"b\" hidden title='t'>x</a>", "<a class=\"c\" title='t' lang=\"\">x</a>")
        == [
          attribute([0], "class", "c"), attribute([0], "lang", ""), attribute([0], "hidden", nil),
        ]
    )
  }

  @Test func `values are not escaped`() {
    #expect(
      edits("<a title=\"x\">x</a>", "<a title=\"&quot;&amp;&#39;\">&lt;b&gt;</a>")
        == [attribute([0], "title", "\"&'"), text([0], "<b>")]
    )
  }

  @Test func `self-closing SVG elements are handled`() {
    #expect(
      edits("<g><path d=\"1\"/><text>a</text></g>", "<g><path d=\"2\"/><text>b</text></g>")
        == [attribute([0, 0], "d", "2"), text([0, 1], "b")]
    )
  }

  @Test(arguments: [
    ("<p>a</p>", "<b>a</b>"), ("<p>a</p>", "<p>a</p><p>b</p>"), ("<p>a<br></p>", "<p>a</p>"),
    ("<p>a</p>", "<p>a</p>"), ("<p a=\"1\" b=\"2\"></p>", "<p b=\"2\" a=\"1\"></p>"),
  ])
  func `a structural change, or no change, gives no edits`(old: String, new: String) {
    #expect(edits(old, new) == nil)
  }

  @Test(arguments: [
    ("<form><p>a</p></form>", "<form><p>b</p></form>"),
    ("<b>a</b><button name=\"star\"></button>", "<b>b</b><button name=\"star\"></button>"),
    ("<input name=\"star\"><b>a</b>", "<input name=\"star\"><b>b</b>"),
    ("<dialog><p>a</p></dialog>", "<dialog><p>b</p></dialog>"),
    ("<p data-error>a</p>", "<p data-error>b</p>"),
    ("<p data-restored><b>a</b></p>", "<p data-restored><b>b</b></p>"),
    ("<textarea>a</textarea>", "<textarea>b</textarea>"),
    ("<select><option>a</option></select>", "<select><option>b</option></select>"),
    ("<input title=\"a\">", "<input title=\"b\">"), ("<p id=\"a\"></p>", "<p id=\"b\"></p>"),
    ("<button disabled></button>", "<button></button>"),
    ("<details open></details>", "<details></details>"),
    ("<p data-key=\"a\"></p>", "<p data-key=\"b\"></p>"),
    ("<p data-keeps=\"class\" class=\"a\"></p>", "<p data-keeps=\"class\" class=\"b\"></p>"),
    ("<a data-set=\"a=1\"></a>", "<a></a>"), ("<a></a>", "<a data-set=\"a=1\"></a>"),
    ("<use xlink:href=\"#a\"/>", "<use xlink:href=\"#b\"/>"),
    ("<table><tr><td>a</td></tr></table>", "<table><tr><td>b</td></tr></table>"),
    ("<table><col><tbody></tbody></table>a", "<table><col><tbody></tbody></table>b"),
    ("<table><tbody><td>a</td></tbody></table>", "<table><tbody><td>b</td></tbody></table>"),
    ("<table><p>a</p></table>", "<table><p>b</p></table>"),
    ("<p><ul><li></li></ul></p><b>a</b>", "<p><ul><li></li></ul></p><b>b</b>"),
    ("<p><i><div></div></i></p><b>a</b>", "<p><i><div></div></i></p><b>b</b>"),
    ("<a><i><a></a></i></a><b>a</b>", "<a><i><a></a></i></a><b>b</b>"),
    ("<button><button></button></button><b>a</b>", "<button><button></button></button><b>b</b>"),
    ("<h1><h2></h2></h1><b>a</b>", "<h1><h2></h2></h1><b>b</b>"),
    ("<ul><li><li></li></li></ul><b>a</b>", "<ul><li><li></li></li></ul><b>b</b>"),
    ("<dl><dt><dd></dd></dt></dl><b>a</b>", "<dl><dt><dd></dd></dt></dl><b>b</b>"),
    ("<form><form></form></form><b>a</b>", "<form><form></form></form><b>b</b>"),
    ("<ruby><rt><rp></rp></rt></ruby><b>a</b>", "<ruby><rt><rp></rp></rt></ruby><b>b</b>"),
    ("<svg><p></p></svg><b>a</b>", "<svg><p></p></svg><b>b</b>"),
    ("<div><td></td></div><b>a</b>", "<div><td></td></div><b>b</b>"),
    ("<select><p></p></select><b>a</b>", "<select><p></p></select><b>b</b>"),
    ("<noscript><b>a</b></noscript>", "<noscript><b>b</b></noscript>"),
    ("<script>a</script>", "<script>b</script>"), ("<!-- a --><p>a</p>", "<!-- a --><p>b</p>"),
    ("<p class=a></p>", "<p class=b></p>"), ("<p>a</p>", "<p>&nbsp;</p>"), ("<p>a", "<p>b"),
    ("a</p>", "b</p>"), ("<p>a</b>", "<p>b</b>"), ("<", "a<"),
  ])
  func `content that scripts change, or that is not simple, is sent as HTML`(
    old: String, new: String
  ) {
    #expect(edits(old, new) == nil)
  }

  @Test func `content beside a form is edited`() {
    #expect(
      edits("<form><input name=\"a\"></form><p>a</p>", "<form><input name=\"a\"></form><p>b</p>")
        == [text([1], "b")]
    )
  }

  @Test(arguments: [
    ("<ul><li><p>x</p><ul><li>", "</li></ul></li></ul>", [0, 0, 1, 0]),
    ("<dl><dd><dl><dt>", "</dt></dl></dd></dl>", [0, 0, 0, 0]),
    ("<p><button><p>", "</p></button></p>", [0, 0, 0]),
    ("<p><svg><foreignObject><p>", "</p></foreignObject></svg></p>", [0, 0, 0, 0]),
    ("<a><p><b>", "</b></p></a>", [0, 0, 0]),
    ("<select><option>x</option></select><b>", "</b>", [1]),
  ])
  func `elements that browsers leave where they are written are edited`(
    start: String, end: String, path: [Int]
  ) {
    #expect(edits(start + "a" + end, start + "b" + end) == [text(path, "b")])
  }

  @Test func `a complete table is edited`() {
    func table(_ text: String) -> String {
      "<table><caption>a</caption><colgroup><col></colgroup><thead><tr><th>b</th></tr></thead>"
        + "<tbody><tr><th>c</th><td><b>\(text)</b></td></tr></tbody></table>"
    }

    #expect(edits(table("d"), table("e")) == [text([0, 3, 0, 1, 0], "e")])
  }

  @Test func `the parameters that a link sets are edited`() {
    #expect(
      edits("<a data-set=\"a=1\">x</a>", "<a data-set=\"a=2\">x</a>")
        == [attribute([0], "data-set", "a=2")]
    )
  }

  @Test func `a test's window escapes as templates do`() throws {
    let (old, new) = ("<p title=\"a\">a</p>", "<p title=\"&quot;\u{301}\">&lt;\u{301}</p>")
    let found = try #require(edits(old, new))

    let made = try found.reduce(old) { try PatchJSON.Edit($1).applied(to: $0) }

    #expect(made == new)
  }

  /// What a window makes of the edits is what a reload gives.
  @Test(arguments: [UInt64.random(in: 0...UInt64.max), 1, 2])
  func `edits turn one piece of HTML into the other`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<300 {
      let shape = Shape(depth: 3, using: &random)
      let (old, new) = (shape.html(using: &random), shape.html(using: &random))

      guard let found = edits(old, new) else {
        #expect(old == new, "seed \(seed)")
        continue
      }

      let made = try found.reduce(old) { try PatchJSON.Edit($1).applied(to: $0) }
      #expect(made == new, "seed \(seed), \(old)")
    }
  }
}

extension PatchJSON.Edit {
  fileprivate init(_ edit: HTMLEdits.Edit) {
    let target: Target =
      switch edit.target {
      case .text(let child): .text(before: child)
      case .attribute(let name): .attribute(String(decoding: name, as: UTF8.self))
      }
    self.init(
      path: edit.path,
      value: edit.value.map { String(decoding: $0, as: UTF8.self) },
      target: target
    )
  }
}

/// Elements, without their texts and the values of their attributes.
private struct Shape {
  private let name: String
  private let attributes: [String]
  private let children: [Shape]

  init(depth: Int, using random: inout SeededGenerator) {
    self.name = ["div", "b", "br", "g", "my-part"].randomElement(using: &random) ?? "b"
    self.attributes = ["class", "title", "aria-label", "data-set"].filter { _ in
      Bool.random(using: &random)
    }
    let count = depth == 0 || self.name == "br" ? 0 : Int.random(in: 0...3, using: &random)
    self.children = (0..<count).map { _ in Shape(depth: depth - 1, using: &random) }
  }

  func html(using random: inout SeededGenerator) -> String {
    let values = ["", "a", "b c", "&amp;&lt;", "&quot;&#39;&gt;", "é👍🏽", "=\n"]
    func value() -> String { values.randomElement(using: &random) ?? "" }
    let opening = "<" + self.name + self.attributes.map { " \($0)=\"\(value())\"" }.joined() + ">"
    guard self.name != "br" else { return opening }
    let content = self.children.reduce(value()) { $0 + $1.html(using: &random) + value() }
    return opening + content + "</\(self.name)>"
  }
}
