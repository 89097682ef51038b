/// Makes programs of nodes.
struct TemplateCompiler {
  let library: TemplateLibrary
  /// The templates that are being included, outermost first: one that is in there already would
  /// include itself without end.
  var including: [String]
  /// What the templates that include a layout put into its blocks.
  var blocks: [String: [TemplateNode]] = [:]

  /// - Throws: ``TemplateError``, and what a slot's `prepare` throws.
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
      case .text(let text):
        builder.add(text)
      case .value(let name, let isRaw):
        try self.add(value: name, isRaw: isRaw, try slots.resolve(name), to: &builder)
      case .section(let name, let isInverted, let children):
        let slot = try slots.resolve(name)
        if isInverted {
          try self.add(inverted: name, children, slot, slots, to: &builder)
        } else {
          let context = SectionContext(
            before: index > 0 ? nodes[index - 1].text : "",
            after: index + 1 < nodes.count ? nodes[index + 1].text : ""
          )
          try self.add(section: name, children, slot, slots, context, to: &builder)
        }
      case .partial(let name, let indentation):
        let compiler = try self.including(name)
        let nodes = try self.library.nodes(name, indentation: indentation)
        try compiler.add(nodes, slots, to: &builder)
      case .parent(let name, let children):
        var compiler = try self.including(name)
        for case .block(let block, let nodes) in children where compiler.blocks[block.text] == nil {
          compiler.blocks[block.text] = nodes
        }
        try compiler.add(try self.library.nodes(name), slots, to: &builder)
      case .block(let name, let children):
        try self.add(self.blocks[name.text] ?? children, slots, to: &builder)
      }
    }
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
  let before: String
  let after: String
}

// Values.
extension TemplateCompiler {
  private func add<Model: Sendable>(
    value name: TemplateName,
    isRaw: Bool,
    _ slot: Slot<Model>,
    to builder: inout TemplateProgramBuilder<Model>
  ) throws {
    if case .html(let value) = slot.kind {
      guard isRaw else {
        throw name.position.error("\"\(name.text)\" is HTML: expected {{{\(name.text)}}}")
      }
      builder.add(.write { model, writer in writer.write(trusted: value(model)) })
      return
    }
    guard isRaw == false else {
      throw name.position.error("\"\(name.text)\" is not HTML: expected {{\(name.text)}}")
    }
    switch slot.kind {
    case .text(let value):
      builder.add(.text(value))
    case .optionalText(let value):
      builder.add(
        .write { model, writer in
          if let text = value(model) { writer.escape(text) }
        })
    case .number(let value):
      builder.add(.number(value))
    case .writer(let prepare, let write):
      try prepare()
      builder.add(.write(write))
    case .html, .flag, .scope, .wrapper, .section:
      throw name.position.error(
        "\"\(name.text)\" has no text: expected {{#\(name.text)}}…{{/\(name.text)}}"
      )
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
      let content = try self.compile(children, slots)
      builder.add(
        .write { model, writer in
          if value(model) { content.render(model, into: &writer) }
        })
    case .text(let value):
      try self.add(text: { value($0) }, children, slots, to: &builder)
    case .optionalText(let value):
      try self.add(text: value, children, slots, to: &builder)
    case .scope(let scope):
      builder.add(.write(try scope.compile(children, with: self, in: slots)))
    case .wrapper(let wrap):
      let content = try self.compile(children, slots)
      builder.add(
        .write { model, writer in
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
    case .number, .html, .writer:
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
    let iterator = Slots<Model>([.text(".", optional: value)])
    let content = try self.compile(children, Slots(merging: slots, with: iterator))
    builder.add(
      .write { model, writer in
        if value(model)?.isEmpty == false { content.render(model, into: &writer) }
      })
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
      case .number, .html, .writer, .wrapper: nil
      }
    guard let isEmpty else {
      throw name.position.error("\"\(name.text)\" cannot be an inverted section")
    }
    let content = try self.compile(children, slots)
    builder.add(
      .write { model, writer in
        if isEmpty(model) { content.render(model, into: &writer) }
      })
  }

  /// The first parts of all names in the nodes; partials and layouts count as naming anything.
  func names(in nodes: [TemplateNode]) -> Set<String> {
    var names: Set<String> = []
    for node in nodes {
      switch node {
      case .text: break
      case .value(let name, _): names.insert(name.path.first ?? "")
      case .section(let name, _, let children):
        names.insert(name.path.first ?? "")
        names.formUnion(self.names(in: children))
      case .partial, .parent: names.insert("{anything}")
      case .block(let name, let children):
        names.formUnion(self.names(in: self.blocks[name.text] ?? children))
      }
    }
    return names
  }
}

extension TemplateNode {
  fileprivate var text: String {
    if case .text(let text) = self { text } else { "" }
  }
}
