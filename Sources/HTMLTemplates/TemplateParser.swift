/// Parses mustache.
///
/// Source: mustache(5), and the specification's rule for standalone tags: if a tag other than a
/// value is alone on its line, the whole line is removed.
///
/// It works on Unicode scalars, not characters: a combining mark after a tag would merge with the
/// tag's last brace, and `\r\n` is a single character.
struct TemplateParser {
  /// A tag whose end tag has not been read yet.
  private struct Open {
    let kind: Unicode.Scalar
    let name: TemplateName
    var children: [TemplateNode] = []
  }

  private let file: String
  /// Inserted before each line.
  private let indentation: String
  private let source: [Unicode.Scalar]
  private var index = 0
  private var line = 1
  private var lineStart = 0
  private var stack: [Open] = []
  private var text = String.UnicodeScalarView()
  private var textStart: TemplatePosition

  private init(file: String, source: String, indentation: String) {
    self.file = file
    self.source = Array(source.unicodeScalars)
    self.indentation = indentation
    self.textStart = TemplatePosition(file: file, line: 1, column: 1)
  }

  /// - Parameters:
  ///   - source: The template.
  ///   - file: Its path, for error messages.
  ///   - indentation: Inserted before each line.
  /// - Throws: ``TemplateError`` for a tag that is not closed, or an end tag that closes nothing.
  /// - Complexity: O(n), n characters.
  static func parse(
    _ source: String,
    file: String,
    indentation: String = ""
  ) throws -> [TemplateNode] {
    var parser = TemplateParser(file: file, source: source, indentation: indentation)
    return try parser.parse()
  }

  private mutating func parse() throws -> [TemplateNode] {
    self.stack = [
      Open(kind: " ", name: TemplateName(text: "", position: self.position(at: 0)))
    ]
    while self.index < self.source.count {
      if self.text.isEmpty { self.textStart = self.position(at: self.index) }
      if self.index == self.lineStart {
        self.text.append(contentsOf: self.indentation.unicodeScalars)
      }
      if self.starts(with: "{{", at: self.index) {
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
    let isTriple = self.starts(with: "{{{", at: start)
    let close = isTriple ? "}}}" : "}}"
    guard let end = self.find(close, from: start + (isTriple ? 3 : 2)) else {
      throw position.error("the tag is never closed: expected \(close)")
    }
    var content = self.source[(start + (isTriple ? 3 : 2))..<end]
    var kind: Unicode.Scalar = isTriple ? "{" : " "
    if isTriple == false, let first = content.first, "#^/!><$&".unicodeScalars.contains(first) {
      kind = first
      content = content.dropFirst()
    }
    let name = TemplateName(text: String(content).trimming(\.isWhitespace), position: position)
    if kind != "!", name.text.contains("{{") {
      throw position.error("the tag is never closed: expected \(close)")
    }
    if kind != "!", name.text.isEmpty {
      throw position.error("the tag is empty: expected a name")
    }
    let after = end + close.utf8.count
    let isValue = kind == " " || kind == "{" || kind == "&"
    let indentation = isValue ? nil : self.standaloneIndentation(from: start, to: after)
    self.text.removeLast(indentation?.unicodeScalars.count ?? 0)
    self.advance(after - self.index, keeping: false)
    if indentation != nil { self.skipLineEnd() }
    try self.add(kind, name, indentation ?? "")
  }

  private mutating func add(
    _ kind: Unicode.Scalar,
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
    self.stack[self.stack.count - 1].children.append(.text(String(self.text), self.textStart))
    self.text.removeAll()
  }
}

// Scalars.
extension TemplateParser {
  private func position(at index: Int) -> TemplatePosition {
    TemplatePosition(file: self.file, line: self.line, column: index - self.lineStart + 1)
  }

  private func starts(with text: String, at index: Int) -> Bool {
    self.source[index...].starts(with: text.unicodeScalars)
  }

  private func find(_ text: String, from start: Int) -> Int? {
    guard start <= self.source.count else { return nil }
    return (start..<self.source.count).first { self.starts(with: text, at: $0) }
  }

  private mutating func advance(_ count: Int, keeping: Bool) {
    for _ in 0..<count {
      let scalar = self.source[self.index]
      if keeping { self.text.append(scalar) }
      self.index += 1
      if scalar == "\n" {
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
    guard
      after == self.source.count || self.starts(with: "\n", at: after)
        || self.starts(with: "\r\n", at: after)
    else { return nil }
    return self.indentation + String(self.source[before..<start])
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
  fileprivate init(_ scalars: ArraySlice<Unicode.Scalar>) {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars)
    self.init(view)
  }

  /// The text without matching characters at its start and end.
  func trimming(_ isTrimmed: (Character) -> Bool) -> String {
    let text = self.drop(while: isTrimmed)
    guard let last = text.lastIndex(where: { isTrimmed($0) == false }) else { return "" }
    return String(text[...last])
  }
}
