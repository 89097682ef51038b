/// Compiles nodes into programs.
struct TemplateCompiler {
  let library: TemplateLibrary
  /// The templates that are being included, outermost first. A template that is in this list
  /// already would include itself forever.
  var including: [String]
  /// The blocks that the including templates pass to a layout.
  var blocks: [String: Block] = [:]
  /// Receives all static text, and throws if it contains something that is not allowed.
  let inspect: @Sendable (String, TemplatePosition) throws -> Void
  let used = UsedSlots()

  /// What a template passes to a block of a layout. It is compiled in the context of that template,
  /// so its partials and nested blocks are resolved there.
  struct Block {
    let nodes: [TemplateNode]
    let compiler: TemplateCompiler
  }

  /// - Throws: ``TemplateError``, and errors from a slot's `compile`.
  func compile<Model: Sendable>(
    _ nodes: [TemplateNode],
    _ slots: Slots<Model>
  ) throws -> TemplateProgram<Model> {
    var builder = TemplateProgramBuilder<Model>()
    try self.add(nodes, slots, to: &builder)
    return builder.build()
  }

  private func add<Model: Sendable>(
    _ nodes: [TemplateNode],
    _ slots: Slots<Model>,
    to builder: inout TemplateProgramBuilder<Model>
  ) throws {
    for (index, node) in nodes.enumerated() {
      switch node {
      case .text(let text, let position):
        try self.inspect(text, position)
        builder.add(text)
      case .value(let name, let isRaw):
        let slot = try slots.resolve(name)
        self.used.insert(slot.declaration)
        try self.add(value: name, isRaw: isRaw, slot, to: &builder)
      case .section(let name, let isInverted, let children):
        let slot = try slots.resolve(name)
        self.used.insert(slot.declaration)
        if isInverted {
          try self.add(inverted: name, children, slot, slots, to: &builder)
        } else {
          let context = SectionContext(around: index, in: nodes)
          try self.add(section: name, children, slot, slots, context, to: &builder)
        }
      case .partial(let name, let indentation):
        let compiler = try self.including(name)
        let nodes = try self.library.nodes(name, indentation: indentation)
        try compiler.add(nodes, slots, to: &builder)
      case .parent(let name, let children):
        var compiler = try self.including(name)
        for case .block(let block, let nodes) in children where compiler.blocks[block.text] == nil {
          compiler.blocks[block.text] = Block(nodes: nodes, compiler: self)
        }
        try compiler.add(try self.library.nodes(name), slots, to: &builder)
      case .block(let name, let children):
        let block = self.block(name, default: children)
        try block.compiler.add(block.nodes, slots, to: &builder)
      }
    }
  }

  private func block(_ name: TemplateName, default nodes: [TemplateNode]) -> Block {
    self.blocks[name.text] ?? Block(nodes: nodes, compiler: self)
  }

  private func including(_ name: TemplateName) throws -> TemplateCompiler {
    guard self.including.contains(name.text) == false else {
      throw name.position.error(
        "the template \"\(name.text)\" includes itself: "
          + (self.including + [name.text]).joined(separator: " > ")
      )
    }
    var compiler = self
    compiler.including.append(name.text)
    return compiler
  }
}

/// The static text around a section.
private struct SectionContext {
  /// The text from the last tag on. Values appear in it as `{{name}}`, everything else as `{}`.
  let before: String
  let after: String

  init(around index: Int, in nodes: [TemplateNode]) {
    var before = ""
    for node in nodes[..<index].reversed() where before.contains("<") == false {
      before = (node.text ?? node.valueText ?? "{}") + before
    }
    self.before = before
    self.after = index + 1 < nodes.count ? nodes[index + 1].text ?? "" : ""
  }
}

// Values.
extension TemplateCompiler {
  private func add<Model: Sendable>(
    value name: TemplateName,
    isRaw: Bool,
    _ slot: Slot<Model>,
    to builder: inout TemplateProgramBuilder<Model>
  ) throws {
    switch (slot.kind, isRaw) {
    case (.flag, _), (.scope, _), (.wrapper, _), (.section, _):
      throw name.position.error(
        "\"\(name.text)\" has no text: expected {{#\(name.text)}}…{{/\(name.text)}}"
      )
    case (.html(let value), true):
      builder.add(.write { model, writer in writer.write(trusted: value(model)) })
    case (.html, false):
      throw name.position.error("\"\(name.text)\" is HTML: expected {{{\(name.text)}}}")
    case (_, true):
      throw name.position.error("\"\(name.text)\" is not HTML: expected {{\(name.text)}}")
    case (.text(let value), false):
      builder.add(.text(value))
    case (.optionalText(let value), false):
      builder.add(
        .write { model, writer in
          if let text = value(model) { writer.escape(text) }
        })
    case (.writer(let compile), false):
      builder.add(.write(try compile(name.position)))
    }
  }
}

// Sections.
extension TemplateCompiler {
  private func add<Model: Sendable>(
    section name: TemplateName,
    _ children: [TemplateNode],
    _ slot: Slot<Model>,
    _ slots: Slots<Model>,
    _ context: SectionContext,
    to builder: inout TemplateProgramBuilder<Model>
  ) throws {
    switch slot.kind {
    case .flag(let value):
      builder.add(try self.compile(children, slots), if: value)
    case .text(let value):
      try self.add(text: { value($0) }, children, slots, to: &builder)
    case .optionalText(let value):
      try self.add(text: value, children, slots, to: &builder)
    case .scope(let scope):
      builder.add(.write(try scope.compile(children, with: self, in: slots)))
    case .wrapper(let compile):
      var content = TemplateProgramBuilder<Model>().build()
      let wrap = try compile(name.position) { content = try self.compile(children, slots) }
      builder.add(
        .write { [content] model, writer in
          wrap(model, &writer) { content.render(model, into: &$0) }
        })
    case .section(_, let compile):
      let section = TemplateSection(
        name: name.text,
        nodes: children,
        position: name.position,
        before: context.before,
        after: context.after,
        compiler: self,
        container: TemplateSection.Container()
      )
      let write = try compile(section)
      if section.container.isRequired { builder.trimEnd() }
      builder.add(.write(write))
      if section.container.isRequired { builder.trimNext() }
    case .html:
      throw name.position.error(
        "\"\(name.text)\" cannot be a section: expected {{{\(name.text)}}}"
      )
    case .writer:
      throw name.position.error(
        "\"\(name.text)\" cannot be a section: expected {{\(name.text)}}"
      )
    }
  }

  private func add<Model: Sendable>(
    text value: @escaping @Sendable (Model) -> String?,
    _ children: [TemplateNode],
    _ slots: Slots<Model>,
    to builder: inout TemplateProgramBuilder<Model>
  ) throws {
    let iterator = Slots<Model>([.optionalText(".", value)])
    let content = try self.compile(children, Slots(merging: slots, with: iterator))
    builder.add(content) { value($0)?.isEmpty == false }
  }

  private func add<Model: Sendable>(
    inverted name: TemplateName,
    _ children: [TemplateNode],
    _ slot: Slot<Model>,
    _ slots: Slots<Model>,
    to builder: inout TemplateProgramBuilder<Model>
  ) throws {
    let isEmpty: (@Sendable (Model) -> Bool)? =
      switch slot.kind {
      case .flag(let value): { value($0) == false }
      case .text(let value): { value($0).isEmpty }
      case .optionalText(let value): { value($0)?.isEmpty ?? true }
      case .scope(let scope): { scope.isEmpty($0) }
      case .section(let isEmpty, _): isEmpty
      case .html, .writer, .wrapper: nil
      }
    guard let isEmpty else {
      throw name.position.error("\"\(name.text)\" cannot be an inverted section")
    }
    builder.add(try self.compile(children, slots), if: isEmpty)
  }

  /// A name that cannot occur in a template.
  private static let anything = "}}"

  /// The first components of all names in the nodes. Partials and layouts count as any name.
  func names(in nodes: [TemplateNode]) -> Set<String> {
    var names: Set<String> = []
    for node in nodes {
      switch node {
      case .text: break
      case .value(let name, _): names.insert(name.path.first ?? "")
      case .section(let name, _, let children):
        names.insert(name.path.first ?? "")
        names.formUnion(self.names(in: children))
      case .partial, .parent: names.insert(Self.anything)
      case .block(let name, let children):
        let block = self.block(name, default: children)
        names.formUnion(block.compiler.names(in: block.nodes))
      }
    }
    return names
  }
}

extension TemplateNode {
  fileprivate var text: String? {
    if case .text(let text, _) = self { text } else { nil }
  }

  fileprivate var valueText: String? {
    if case .value(let name, isRaw: false) = self { "{{\(name.text)}}" } else { nil }
  }
}

/// Records which of the required slots a template uses.
final class UsedSlots {
  private var used: Set<ObjectIdentifier> = []

  func insert(_ declaration: SlotDeclaration?) {
    if let declaration { self.used.insert(ObjectIdentifier(declaration)) }
  }

  /// - Throws: ``TemplateError`` if one of them is not used.
  func check(_ declarations: [SlotDeclaration], at position: TemplatePosition) throws {
    let unused = declarations.filter { self.used.contains(ObjectIdentifier($0)) == false }
    guard let text = unused.map(\.text).min() else { return }
    throw position.error("\(text) is declared and never used")
  }
}
