import HTMLTemplates
import TestSupport
import Testing

@testable import ImmutableRuntime

/// The edits of a patch, applied as a browser does to its elements, make of the old HTML the new one.
struct HTMLEditsFuzzTests {
  @Test func `edits turn one piece of HTML into the other`() async throws {
    try await Fuzzing.run("edits", few: 2_000) { generator in
      let isPlain = generator.once(in: 2)
      let old = (0...Int.random(in: 0...2, using: &generator)).map { _ in
        Element(depth: 3, isPlain: isPlain, using: &generator)
      }
      var new = Element(name: "", children: old, texts: Array(repeating: "", count: old.count + 1))
      let (before, isSameShape) = (new, isPlain && generator.once(in: 4) == false)
      new.change(isSameShape: isSameShape, using: &generator)

      let (oldHTML, newHTML) = (before.html, new.html)
      guard let found = HTMLEdits(from: oldHTML, to: newHTML) else {
        guard isSameShape == false || before == new else {
          throw Finding("no edits to \(String(decoding: newHTML, as: UTF8.self))", oldHTML)
        }
        return
      }
      var made = before
      for edit in found.edits { try made.apply(edit, at: edit.path[...]) }
      guard made == new else {
        throw Finding("\(found.edits) make of it \(made), not \(new)", oldHTML)
      }
    }
  }

  @Test func `HTML of any kind is compared to its end`() async throws {
    try await Fuzzing.run("HTML that is no HTML", few: 2_000) { generator in
      var element = Element(depth: 2, isPlain: false, using: &generator)
      var (old, new) = (element.html, element.html)
      element.change(isSameShape: false, using: &generator)
      if generator.once(in: 2) { new = element.html }
      old.mutate(Self.parts, using: &generator)
      new.mutate(Self.parts, using: &generator)

      guard let found = HTMLEdits(from: old, to: new) else { return }

      guard found.edits.isEmpty == false, old != new else { throw Finding("no edit", old) }
    }
  }

  private static let parts = [
    "<", ">", "</", "/>", "\"", "'", "=", " ", "<p", "</p>", "<br>", "&", "&amp;", "&#39", "<!--",
    "-->", " a=", "<b a=\"", "é",
  ]
}

/// An element as a browser has it.
private struct Element: Hashable {
  var name: String
  var attributes: [String: String] = [:]
  var children: [Element] = []
  /// The texts before, between and after the children.
  var texts: [String]

  /// Elements and attributes that may be edited.
  private static let plain = ["div", "b", "br", "g", "my-part", "span", "img"]
  private static let plainAttributes = ["class", "title", "aria-label", "style"]
  /// Those that may not, or not everywhere.
  private static let others = [
    "p", "ul", "li", "table", "tbody", "tr", "td", "select", "option", "textarea", "input", "form",
    "button", "dialog", "details", "a", "h1", "h2", "svg", "path", "dl", "dt", "dd", "script",
    "noscript", "ruby", "rt",
  ]
  private static let otherAttributes = [
    "id", "name", "value", "data-set", "data-key", "data-keeps", "data-error", "checked", "href",
    "xlink:href",
  ]
  private static let empty: Set = ["br", "img", "input", "path"]
  private static let values = [
    "", "a", "b c", "&<", "\"'>", "é👍🏽", "=\n", "\u{301}x", "<b>", "&amp;",
  ]

  init(name: String, children: [Element], texts: [String]) {
    (self.name, self.children, self.texts) = (name, children, texts)
  }

  init(depth: Int, isPlain: Bool, using generator: inout SeededGenerator) {
    self.name = generator.pick(Self.plain + (isPlain ? [] : Self.others))
    let attributes = Self.plainAttributes + (isPlain ? [] : Self.otherAttributes)
    self.attributes = Dictionary(
      generator.some(attributes, 0...3).map { ($0, "") }, uniquingKeysWith: { first, _ in first })
    let count =
      depth == 0 || Self.empty.contains(self.name) ? 0 : Int.random(in: 0...3, using: &generator)
    self.children = (0..<count).map { _ in
      Element(depth: depth - 1, isPlain: isPlain, using: &generator)
    }
    self.texts = Array(repeating: "", count: count + 1)
    for name in self.attributes.keys.sorted() {
      self.attributes[name] = generator.pick(Self.values)
    }
    self.changeTexts(using: &generator)
  }

  private mutating func changeTexts(using generator: inout SeededGenerator) {
    guard Self.empty.contains(self.name) == false else { return }
    for index in self.texts.indices where generator.once(in: 2) {
      self.texts[index] = generator.pick(Self.values)
    }
  }

  /// - Parameter isSameShape: Whether only texts and attributes change.
  mutating func change(isSameShape: Bool, using generator: inout SeededGenerator) {
    if generator.once(in: 3) { self.changeTexts(using: &generator) }
    for name in self.attributes.keys.sorted() where generator.once(in: 4) {
      self.attributes[name] = generator.once(in: 4) ? nil : generator.pick(Self.values)
    }
    if self.name.isEmpty == false, generator.once(in: 8) {
      self.attributes[generator.pick(Self.plainAttributes)] = generator.pick(Self.values)
    }
    if isSameShape == false, self.children.isEmpty == false, generator.once(in: 6) {
      let index = Int.random(in: 0..<self.children.count, using: &generator)
      if generator.once(in: 2) {
        self.children.remove(at: index)
        self.texts.remove(at: index)
      } else {
        self.children[index].name = generator.pick(Self.plain.filter { !Self.empty.contains($0) })
      }
    }
    for index in self.children.indices {
      self.children[index].change(isSameShape: isSameShape, using: &generator)
    }
  }

  var html: [UInt8] {
    var writer = HTMLWriter()
    self.write(into: &writer)
    return writer.bytes
  }

  private func write(into writer: inout HTMLWriter) {
    if self.name.isEmpty == false {
      writer.write(trusted: "<\(self.name)")
      for (name, value) in self.attributes.sorted(by: { $0.key < $1.key }) {
        writer.write(trusted: " \(name)=\"")
        writer.escape(value)
        writer.write(trusted: "\"")
      }
      // As templates write it.
      writer.write(trusted: self.name == "path" ? "/>" : ">")
    }
    guard Self.empty.contains(self.name) == false else { return }
    for (text, child) in zip(self.texts, self.children) {
      writer.escape(text)
      child.write(into: &writer)
    }
    writer.escape(self.texts[self.children.count])
    if self.name.isEmpty == false { writer.write(trusted: "</\(self.name)>") }
  }

  mutating func apply(_ edit: HTMLEdits.Edit, at path: ArraySlice<Int>) throws {
    if let index = path.first {
      guard self.children.indices.contains(index) else {
        throw Finding("\(edit) names no element", "\(self)")
      }
      return try self.children[index].apply(edit, at: path.dropFirst())
    }
    let value = edit.value.map { String(decoding: $0, as: UTF8.self) }
    switch edit.target {
    case .attribute(let name): self.attributes[String(decoding: name, as: UTF8.self)] = value
    case .text(let child):
      guard self.texts.indices.contains(child), let value else {
        throw Finding("\(edit) names no text", "\(self)")
      }
      self.texts[child] = value
    }
  }
}
