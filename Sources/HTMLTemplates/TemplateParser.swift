/// Reads mustache.
///
/// Source: mustache(5), and the specification's rules for standalone tags: a tag other than a value
/// that is alone on its line takes the line with it.
struct TemplateParser {
  /// A tag that waits for its end.
  private struct Open {
    let kind: Character
    let name: TemplateName
    var children: [TemplateNode] = []
  }

  private let file: String
  private let source: [Character]
  private var index = 0
  private var line = 1
  private var lineStart = 0
  private var stack: [Open] = []
  private var text = ""

  private init(file: String, source: String) {
    self.file = file
    self.source = Array(source.replacing("\r\n", with: "\n"))
  }

  /// - Throws: ``TemplateError`` for a tag that is not closed, or closes nothing.
  /// - Complexity: O(n), n characters.
  static func parse(_ source: String, file: String) throws -> [TemplateNode] {
    var parser = TemplateParser(file: file, source: source)
    return try parser.parse()
  }

  private mutating func parse() throws -> [TemplateNode] {
    self.stack = [
      Open(kind: " ", name: TemplateName(text: "", position: self.position(at: 0)))
    ]
    while self.index < self.source.count {
      if self.starts(with: "{{") {
        try self.parseTag()
      } else {
        self.advance(1, keeping: true)
      }
    }
    self.flushText()
    guard let root = self.stack.first, self.stack.count == 1 else {
      let open = self.stack[self.stack.count - 1]
      throw open.name.position.error(
        "\"\(open.name.text)\" is opened here and never closed: expected {{/\(open.name.text)}}"
      )
    }
    return root.children
  }

  private mutating func parseTag() throws {
    let start = self.index
    let position = self.position(at: start)
    let isTriple = self.starts(with: "{{{")
    let close = Array(isTriple ? "}}}" : "}}")
    guard let end = self.find(close, from: start + (isTriple ? 3 : 2)) else {
      throw position.error("the tag is never closed: expected \(isTriple ? "}}}" : "}}")")
    }
    var content = self.source[(start + (isTriple ? 3 : 2))..<end]
    var kind: Character = isTriple ? "{" : " "
    if isTriple == false, let first = content.first, "#^/!><$&".contains(first) {
      kind = first
      content = content.dropFirst()
    }
    let name = TemplateName(
      text: String(String(content).trimming { $0.isWhitespace }),
      position: position
    )
    if kind != "!", name.text.isEmpty {
      throw position.error("the tag is empty: expected a name")
    }
    let after = end + close.count
    let indentation = self.standaloneIndentation(from: start, to: after)
    if indentation != nil, kind != " ", kind != "{", kind != "&" {
      self.text.removeLast(indentation?.count ?? 0)
    }
    self.advance(after - self.index, keeping: false)
    if indentation != nil, kind != " ", kind != "{", kind != "&" {
      self.skipLineEnd()
    }
    try self.add(kind, name, indentation ?? "")
  }

  private mutating func add(
    _ kind: Character,
    _ name: TemplateName,
    _ indentation: String
  ) throws {
    switch kind {
    case "!":
      break
    case "#", "^", "<", "$":
      self.flushText()
      self.stack.append(Open(kind: kind, name: name))
    case "/":
      self.flushText()
      try self.close(name)
    case ">":
      self.append(.partial(name, indentation: indentation))
    case "{", "&":
      self.append(.value(name, isRaw: true))
    default:
      self.append(.value(name, isRaw: false))
    }
  }

  private mutating func close(_ name: TemplateName) throws {
    let open = self.stack[self.stack.count - 1]
    guard self.stack.count > 1 else {
      throw name.position.error("{{/\(name.text)}} closes nothing: \"\(name.text)\" is not open")
    }
    guard open.name.text == name.text else {
      throw name.position.error(
        "{{/\(name.text)}} found, but \"\(open.name.text)\" is open since line "
          + "\(open.name.position.line): expected {{/\(open.name.text)}}"
      )
    }
    self.stack.removeLast()
    switch open.kind {
    case "#": self.append(.section(open.name, isInverted: false, open.children))
    case "^": self.append(.section(open.name, isInverted: true, open.children))
    case "<": self.append(.parent(open.name, open.children))
    default: self.append(.block(open.name, open.children))
    }
  }

  private mutating func append(_ node: TemplateNode) {
    self.flushText()
    self.stack[self.stack.count - 1].children.append(node)
  }

  private mutating func flushText() {
    guard self.text.isEmpty == false else { return }
    self.stack[self.stack.count - 1].children.append(.text(self.text))
    self.text = ""
  }
}

// Characters.
extension TemplateParser {
  private func position(at index: Int) -> TemplatePosition {
    TemplatePosition(file: self.file, line: self.line, column: index - self.lineStart + 1)
  }

  private func starts(with text: String) -> Bool {
    self.source[self.index...].starts(with: text)
  }

  private func find(_ text: [Character], from start: Int) -> Int? {
    var index = start
    while index + text.count <= self.source.count {
      if self.source[index] == text[0], self.source[index...].starts(with: text) { return index }
      index += 1
    }
    return nil
  }

  private mutating func advance(_ count: Int, keeping: Bool) {
    for _ in 0..<count {
      let character = self.source[self.index]
      if keeping { self.text.append(character) }
      self.index += 1
      if character == "\n" {
        self.line += 1
        self.lineStart = self.index
      }
    }
  }

  /// The white space before a tag that is alone on its line; `nil` if it is not.
  private func standaloneIndentation(from start: Int, to end: Int) -> String? {
    var before = start
    while before > 0, self.source[before - 1] == " " || self.source[before - 1] == "\t" {
      before -= 1
    }
    guard before == 0 || self.source[before - 1] == "\n" else { return nil }
    var after = end
    while after < self.source.count, self.source[after] == " " || self.source[after] == "\t" {
      after += 1
    }
    guard after == self.source.count || self.source[after] == "\n" else { return nil }
    return String(self.source[before..<start])
  }

  private mutating func skipLineEnd() {
    while self.index < self.source.count {
      let isEnd = self.source[self.index] == "\n"
      self.advance(1, keeping: false)
      if isEnd { return }
    }
  }
}

extension String {
  /// The text without such characters at its ends.
  func trimming(_ isTrimmed: (Character) -> Bool) -> Substring {
    var text = self[...]
    while let first = text.first, isTrimmed(first) { text.removeFirst() }
    while let last = text.last, isTrimmed(last) { text.removeLast() }
    return text
  }
}
