/// What the owner of a `.section` slot needs to compile its content.
public struct TemplateSection {
  public let name: String
  let nodes: [TemplateNode]
  package let position: TemplatePosition
  /// The static text immediately before and after the section.
  let before: String
  let after: String
  let compiler: TemplateCompiler
  let container: Container

  /// Whether the section must be alone in its container.
  final class Container {
    var isRequired = false
  }

  /// Compiles the content for one row. It can use only the row's slots.
  ///
  /// - Parameters:
  ///   - slots: The slots that a row may use.
  ///   - rootAttributes: Writes attributes after the tag name of the row's root element.
  /// - Throws: ``TemplateError``.
  public func compile<Row: Sendable>(
    _ slots: Slots<Row>,
    rootAttributes: @escaping @Sendable (Row, inout HTMLWriter) -> Void
  ) throws -> TemplateProgram<Row> {
    let root = try self.rootElement()
    var nodes = self.nodes
    let attributes = Slots<Row>([
      .writer(Self.attributesName, rootAttributes)
    ])
    nodes.removeFirst()
    nodes.insert(
      contentsOf: [
        .text("<\(root.name)", root.position),
        .value(TemplateName(text: Self.attributesName, position: self.position), isRaw: false),
        .text(root.rest, root.position.advanced(over: "<\(root.name)")),
      ],
      at: 0
    )
    if case .text(let text, let position)? = nodes.last {
      nodes[nodes.count - 1] = .text(String(text.trimmingEnd), position)
    }
    do {
      let program = try self.compiler.compile(nodes, Slots(merging: attributes, with: slots))
      try self.compiler.used.check(slots.declarations, at: self.position)
      return program
    } catch let error as TemplateError where error.message.hasPrefix("there is no slot") {
      throw error.adding("(a row sees its own slots only)")
    }
  }

  /// Requires that the section is alone in an element.
  ///
  /// White space between the element and the rows is removed, because patches of the rows could not
  /// preserve it.
  ///
  /// - Parameters:
  ///   - attribute: An attribute of the element.
  ///   - value: Its value; `{{name}}` stands for the slot that writes it.
  /// - Throws: ``TemplateError`` with an example of what to write.
  public func requireContainer(attribute: String, value: String) throws {
    let before = self.before.trimming(\.isWhitespace)
    let tag = before.split(separator: "<", omittingEmptySubsequences: false).last ?? ""
    guard tag.last == ">",
      tag.dropLast().split(whereSeparator: \.isWhitespace).contains("\(attribute)=\"\(value)\""),
      self.after.trimming(\.isWhitespace).hasPrefix("</")
    else {
      throw self.position.error(
        "the rows of \"\(self.name)\" have to be alone in an element with "
          + "\(attribute)=\"\(value)\": expected "
          + "<ul \(attribute)=\"\(value)\">{{#\(self.name)}}…{{/\(self.name)}}</ul>"
      )
    }
    self.container.isRequired = true
  }

  /// A name that cannot occur in a template.
  static let attributesName = "}}attributes"
}

// The root element of a row.
extension TemplateSection {
  /// The element's name and position, and the static text that follows the name.
  ///
  /// - Throws: ``TemplateError`` if a row is not exactly one element.
  private func rootElement() throws -> (name: String, position: TemplatePosition, rest: String) {
    guard case .text(let first, let position)? = self.nodes.first,
      case let start = first.drop(while: \.isWhitespace), start.first == "<",
      case let name = start.dropFirst().prefix(while: Self.isTagName), name.isEmpty == false
    else {
      throw self.error(forRow: "expected it to start with <element")
    }
    guard case .text(let last, _)? = self.nodes.last,
      last.trimmingEnd.hasSuffix("</\(name)>")
    else {
      throw self.error(forRow: "expected it to end with </\(name)>")
    }
    let tags = Self.tags(in: self.nodes)
    var depth = 0
    for (index, tag) in tags.enumerated() {
      if tag == name { depth += 1 }
      if tag == "/\(name)" { depth -= 1 }
      if depth == 0, index < tags.count - 1 {
        throw self.error(forRow: "expected nothing after its </\(name)>")
      }
    }
    return (
      String(name),
      position.advanced(over: first[..<start.startIndex]),
      String(start.dropFirst(1 + name.count))
    )
  }

  /// The names of all tags, in order. Names of end tags begin with `/`.
  ///
  /// Inverted sections are left out, because only one of a section and its inverse is rendered.
  private static func tags(in nodes: [TemplateNode]) -> [Substring] {
    nodes.flatMap { node -> [Substring] in
      switch node {
      case .text(let text, _):
        text.split(separator: "<", omittingEmptySubsequences: false).dropFirst()
          .map { $0.prefix { $0 == "/" || Self.isTagName($0) } }
      case .section(_, isInverted: false, let children), .block(_, let children):
        Self.tags(in: children)
      case .section, .value, .partial, .parent:
        []
      }
    }
  }

  private static func isTagName(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || character == "-"
  }

  private func error(forRow expected: String) -> TemplateError {
    self.position.error("a row of \"\(self.name)\" has to be one element: \(expected)")
  }
}

extension String {
  fileprivate var trimmingEnd: Substring {
    self.lastIndex { $0.isWhitespace == false }.map { self[...$0] } ?? ""
  }
}
