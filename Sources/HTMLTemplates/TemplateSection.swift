/// What the owner of a `.section` slot is given to compile its content.
public struct TemplateSection {
  public let name: String
  let nodes: [TemplateNode]
  let position: TemplatePosition
  /// The static text right before and right after the section.
  let before: String
  let after: String
  let compiler: TemplateCompiler
  let container: Container

  /// Whether the section is alone in its container.
  final class Container {
    var isRequired = false
  }

  /// Compiles the content for one row. It sees the row's slots alone.
  ///
  /// - Parameters:
  ///   - slots: What a row may name.
  ///   - rootAttributes: Is written right after the tag name of the one element that a row is.
  /// - Throws: ``TemplateError``.
  public func compile<Row: Sendable>(
    _ slots: Slots<Row>,
    rootAttributes: @escaping @Sendable (Row, inout HTMLWriter) -> Void
  ) throws -> TemplateProgram<Row> {
    var nodes = self.nodes
    guard case .text(let text)? = nodes.first, let root = Self.rootElement(text) else {
      throw self.position.error(
        "a row of \"\(self.name)\" has to be one element: expected it to start with <element"
      )
    }
    guard case .text(let text)? = nodes.last,
      text.trimming(\.isWhitespace).hasSuffix("</\(root.name)>")
    else {
      throw self.position.error(
        "a row of \"\(self.name)\" has to be one element: expected it to end with </\(root.name)>"
      )
    }
    let attributes = Slots<Row>([
      .writer(Self.attributesName, prepare: {}, rootAttributes)
    ])
    nodes.removeFirst()
    nodes.insert(
      contentsOf: [
        .text("<\(root.name)"),
        .value(TemplateName(text: Self.attributesName, position: self.position), isRaw: false),
        .text(root.rest),
      ],
      at: 0
    )
    if case .text(let text)? = nodes.last {
      nodes[nodes.count - 1] = .text(String(text.trimmingEnd))
    }
    do {
      return try self.compiler.compile(nodes, Slots(merging: attributes, with: slots))
    } catch let error as TemplateError where error.message.hasPrefix("there is no slot") {
      throw TemplateError(
        file: error.file,
        line: error.line,
        column: error.column,
        message: error.message + " (a row sees its own slots only)"
      )
    }
  }

  /// Makes sure that the section is alone in an element.
  ///
  /// White space between the element and the rows is dropped, since whoever patches the rows could
  /// not keep it.
  ///
  /// - Parameters:
  ///   - attribute: An attribute of the element.
  ///   - value: Its value.
  /// - Throws: ``TemplateError`` that shows what to write.
  public func requireContainer(attribute: String, value: String) throws {
    let tag = self.before.trimming(\.isWhitespace).split(
      separator: "<",
      omittingEmptySubsequences: false
    ).last
    guard let tag, tag.hasSuffix(">"), tag.contains("\(attribute)=\"\(value)\""),
      self.after.trimming(\.isWhitespace).hasPrefix("</")
    else {
      throw self.position.error(
        "the rows of \"\(self.name)\" have to be alone in an element with \(attribute)=\"\(value)\": "
          + "expected <ul \(attribute)=\"\(value)\">{{#\(self.name)}}…{{/\(self.name)}}</ul>"
      )
    }
    self.container.isRequired = true
  }

  /// A name that no template can write.
  private static let attributesName = "{attributes}"

  private static func rootElement(_ text: String) -> (name: String, rest: String)? {
    let text = text.drop(while: \.isWhitespace)
    guard text.first == "<" else { return nil }
    let name = text.dropFirst().prefix { $0.isLetter || $0.isNumber || $0 == "-" }
    return name.isEmpty ? nil : (String(name), String(text.dropFirst(1 + name.count)))
  }
}

extension String {
  fileprivate var trimmingEnd: Substring {
    var text = self[...]
    while text.last?.isWhitespace == true { text.removeLast() }
    return text
  }
}
