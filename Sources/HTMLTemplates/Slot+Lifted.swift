extension Slot {
  /// The same slot on a model that has this one in it.
  func lifted<Outer: Sendable>(
    _ inner: @escaping @Sendable (Outer) -> Model
  ) -> Slot<Outer> {
    let kind: Slot<Outer>.Kind =
      switch self.kind {
      case .text(let value): .text { value(inner($0)) }
      case .optionalText(let value): .optionalText { value(inner($0)) }
      case .number(let value): .number { value(inner($0)) }
      case .html(let value): .html { value(inner($0)) }
      case .flag(let value): .flag { value(inner($0)) }
      case .scope(let scope): .scope(scope.lifted(optional: inner))
      case .writer(let prepare, let write):
        .writer(prepare: prepare) { write(inner($0), &$1) }
      case .wrapper(let wrap): .wrapper { wrap(inner($0), &$1, $2) }
      case .section(let isEmpty, let compile):
        Self.liftedSection(isEmpty, compile, inner)
      }
    return Slot<Outer>(name: self.name, kind: kind)
  }

  /// The same slot on a part that may not be there: then it writes nothing.
  func lifted<Outer: Sendable>(
    optional inner: @escaping @Sendable (Outer) -> Model?
  ) -> Slot<Outer> {
    let kind: Slot<Outer>.Kind =
      switch self.kind {
      case .text(let value): .optionalText { inner($0).map(value) }
      case .optionalText(let value): .optionalText { inner($0).flatMap(value) }
      case .number(let value):
        .writer(
          prepare: {},
          write: { outer, writer in
            if let model = inner(outer) { writer.write(value(model)) }
          }
        )
      case .html(let value): .html { inner($0).map(value) ?? "" }
      case .flag(let value): .flag { inner($0).map(value) ?? false }
      case .scope(let scope): .scope(scope.lifted(optional: inner))
      case .writer(let prepare, let write):
        .writer(prepare: prepare) { outer, writer in
          if let model = inner(outer) { write(model, &writer) }
        }
      case .wrapper(let wrap):
        .wrapper { outer, writer, content in
          if let model = inner(outer) { wrap(model, &writer, content) }
        }
      case .section(let isEmpty, let compile):
        Self.liftedSection(isEmpty, compile, inner)
      }
    return Slot<Outer>(name: self.name, kind: kind)
  }

  private static func liftedSection<Outer: Sendable>(
    _ isEmpty: (@Sendable (Model) -> Bool)?,
    _ compile:
      @escaping @Sendable (TemplateSection) throws -> @Sendable (Model, inout HTMLWriter) -> Void,
    _ inner: @escaping @Sendable (Outer) -> Model?
  ) -> Slot<Outer>.Kind {
    var isOuterEmpty: (@Sendable (Outer) -> Bool)?
    if let isEmpty {
      isOuterEmpty = { inner($0).map(isEmpty) ?? true }
    }
    return .section(isEmpty: isOuterEmpty) { section in
      let write = try compile(section)
      return { outer, writer in
        if let model = inner(outer) { write(model, &writer) }
      }
    }
  }
}
