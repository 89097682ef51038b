/// Where to find a part of a model. The part is read in place, because a copy would retain each of
/// its fields.
protocol ModelPart<Whole, Part>: Sendable {
  associatedtype Whole: Sendable
  associatedtype Part: Sendable

  /// Applies the closure to the part, or returns `missing` if there is no part.
  func read<Result>(_ whole: Whole, or missing: Result, _ body: (Part) -> Result) -> Result
}

extension Slot {
  /// The same slot for a model that contains this one. It writes nothing if the part is missing.
  func lifted<Whole: Sendable>(_ part: some ModelPart<Whole, Model>) -> Slot<Whole> {
    let kind: Slot<Whole>.Kind =
      switch self.kind {
      case .text(let value): .optionalText { part.read($0, or: nil) { value($0) } }
      case .optionalText(let value): .optionalText { part.read($0, or: nil, value) }
      case .html(let value): .html { part.read($0, or: "", value) }
      case .flag(let value): .flag { part.read($0, or: false, value) }
      case .scope(let scope): .scope(scope.lifted(part))
      case .writer(let compile):
        .writer { position in
          let write = try compile(position)
          return { whole, writer in part.read(whole, or: ()) { write($0, &writer) } }
        }
      case .wrapper(let compile):
        .wrapper { position, content in
          let wrap = try compile(position, content)
          return { whole, writer, content in
            part.read(whole, or: ()) { wrap($0, &writer, content) }
          }
        }
      case .section(let isEmpty, let compile):
        Self.liftedSection(isEmpty, compile, part)
      }
    var slot = Slot<Whole>(name: self.name, kind: kind)
    slot.members = self.members.lifted(part)
    slot.declaration = self.declaration
    return slot
  }

  private static func liftedSection<Whole: Sendable>(
    _ isEmpty: (@Sendable (Model) -> Bool)?,
    _ compile:
      @escaping @Sendable (TemplateSection) throws -> @Sendable (Model, inout HTMLWriter) -> Void,
    _ part: some ModelPart<Whole, Model>
  ) -> Slot<Whole>.Kind {
    var isWholeEmpty: (@Sendable (Whole) -> Bool)?
    if let isEmpty {
      isWholeEmpty = { part.read($0, or: true, isEmpty) }
    }
    return .section(isEmpty: isWholeEmpty) { section in
      let write = try compile(section)
      return { whole, writer in
        part.read(whole, or: ()) { write($0, &writer) }
      }
    }
  }
}

extension Slots {
  func lifted<Whole: Sendable>(_ part: some ModelPart<Whole, Model>) -> Slots<Whole> {
    Slots<Whole>(self.slots.values.map { $0.lifted(part) })
  }
}
