/// Something of a model that a template can name: registered once, as a closure by name.
///
/// ```swift
/// let slots: Slots<Animal> = [
///   .text("name") { $0.name },
///   .text("legs") { $0.legs },
/// ]
/// ```
public struct Slot<Model: Sendable>: Sendable {
  enum Kind: Sendable {
    case text(@Sendable (Model) -> String)
    case optionalText(@Sendable (Model) -> String?)
    case html(@Sendable (Model) -> String)
    case flag(@Sendable (Model) -> Bool)
    case scope(any SlotScope<Model>)
    case writer(compile: @Sendable (TemplatePosition) throws -> Write)
    case wrapper(
      compile: @Sendable (TemplatePosition, _ content: () throws -> Void) throws -> Wrap
    )
    case section(
      isEmpty: (@Sendable (Model) -> Bool)?,
      compile: @Sendable (TemplateSection) throws -> @Sendable (Model, inout HTMLWriter) -> Void
    )
  }

  /// Writes a model.
  public typealias Write = @Sendable (Model, inout HTMLWriter) -> Void
  /// Writes a model around the content that the last closure writes.
  public typealias Wrap = @Sendable (Model, inout HTMLWriter, (inout HTMLWriter) -> Void) -> Void

  let name: String
  let kind: Kind
  /// What a dotted name leads to besides the slot itself: `{{name.member}}`.
  var members = Slots<Model>([])
  /// Where the slot is declared, if its template has to use it.
  var declaration: SlotDeclaration?

  init(name: String, kind: Kind) {
    self.name = name
    self.kind = kind
  }
}

/// A slot that its template has to use: a form that nobody shows is a mistake.
public final class SlotDeclaration: Sendable {
  let text: String

  /// - Parameter text: What it is and where it is declared, for example
  ///   `the form "save" (AnimalsUI/AnimalEditor.swift:131)`.
  public init(_ text: String) {
    self.text = text
  }
}

extension Slot {
  /// The slot, with others that its name leads to: `{{name.member}}`.
  public func with(members: [Slot]) -> Slot {
    var slot = self
    slot.members = Slots(members)
    return slot
  }

  /// The slot as one that its template has to use.
  public func required(_ declaration: SlotDeclaration) -> Slot {
    var slot = self
    slot.declaration = declaration
    return slot
  }

  /// What templates have to use of this slot and of what is in it.
  var declarations: [SlotDeclaration] {
    var declarations = [self.declaration].compactMap(\.self)
    if case .scope(let scope) = self.kind { declarations += scope.declarations }
    return declarations
  }
}

// Values.
extension Slot {
  /// Text, escaped. As a section it is there unless it is empty, and `{{.}}` is the text.
  public static func text(
    _ name: String,
    _ value: @escaping @Sendable (Model) -> String
  ) -> Slot {
    Slot(name: name, kind: .text(value))
  }

  /// What can be written as text, for example a number.
  public static func text<Value: CustomStringConvertible & SendableMetatype>(
    _ name: String,
    _ value: @escaping @Sendable (Model) -> Value
  ) -> Slot {
    Slot(name: name, kind: .text { value($0).description })
  }

  /// Text that may not be there, escaped.
  public static func text(
    _ name: String,
    optional value: @escaping @Sendable (Model) -> String?
  ) -> Slot {
    Slot(name: name, kind: .optionalText(value))
  }

  /// HTML that the program itself made, written as it is: `{{{name}}}` only.
  public static func html(
    _ name: String,
    _ value: @escaping @Sendable (Model) -> String
  ) -> Slot {
    Slot(name: name, kind: .html(value))
  }

  /// A section that is there, or is not.
  public static func flag(
    _ name: String,
    _ value: @escaping @Sendable (Model) -> Bool
  ) -> Slot {
    Slot(name: name, kind: .flag(value))
  }
}

// Scopes: sections in which inner names come first, then those around them.
extension Slot {
  /// A part of the model: `{{part.name}}`, or a section.
  public static func nested<Value: Sendable>(
    _ name: String,
    _ slots: Slots<Value>,
    _ value: @escaping @Sendable (Model) -> Value
  ) -> Slot {
    Slot(name: name, kind: .scope(ValueScope(slots) { .one(value($0)) }))
  }

  /// A part of the model that may not be there: `{{part.name}}` is then empty, and so is a section.
  public static func optional<Value: Sendable>(
    _ name: String,
    _ slots: Slots<Value>,
    _ value: @escaping @Sendable (Model) -> Value?
  ) -> Slot {
    Slot(
      name: name,
      kind: .scope(
        ValueScope(slots) { model in value(model).map { .one($0) } ?? .none }
      )
    )
  }

  /// A section for each element.
  public static func each<Element: Sendable>(
    _ name: String,
    _ slots: Slots<Element>,
    _ elements: @escaping @Sendable (Model) -> [Element]
  ) -> Slot {
    Slot(name: name, kind: .scope(ValueScope(slots, isList: true) { .many(elements($0)) }))
  }
}

// Slots that write for themselves.
extension Slot {
  /// Attributes, a component, a hole: whatever the closure writes.
  ///
  /// - Parameters:
  ///   - prepare: Is called when a template that names the slot is compiled.
  ///   - write: Writes HTML; what is not its own it escapes.
  public static func writer(
    _ name: String,
    prepare: @escaping @Sendable () throws -> Void = {},
    _ write: @escaping Write
  ) -> Slot {
    .writer(name) { _ in
      try prepare()
      return write
    }
  }

  /// - Parameter compile: Is called where a template names the slot, and returns what writes it.
  public static func writer(
    _ name: String,
    compile: @escaping @Sendable (TemplatePosition) throws -> Write
  ) -> Slot {
    Slot(name: name, kind: .writer(compile: compile))
  }

  /// Something around what the section holds, for example a form.
  ///
  /// - Parameter wrap: Writes HTML, and calls the last closure where the content goes.
  public static func wrapper(
    _ name: String,
    _ wrap: @escaping Wrap
  ) -> Slot {
    .wrapper(name) { _, content in
      try content()
      return wrap
    }
  }

  /// - Parameter compile: Is called where a template has the section. It calls the closure, once, to
  ///   compile the content, and returns what writes around it.
  public static func wrapper(
    _ name: String,
    compile: @escaping @Sendable (TemplatePosition, _ content: () throws -> Void) throws -> Wrap
  ) -> Slot {
    Slot(name: name, kind: .wrapper(compile: compile))
  }

  /// A section that its owner compiles, for example rows that are rendered one by one.
  ///
  /// - Parameters:
  ///   - isEmpty: Whether the inverted section is there; without it there can be none.
  ///   - compile: Compiles the content for models of its own, and returns what writes them.
  public static func section(
    _ name: String,
    isEmpty: (@Sendable (Model) -> Bool)? = nil,
    _ compile:
      @escaping @Sendable (TemplateSection) throws -> @Sendable (Model, inout HTMLWriter) -> Void
  ) -> Slot {
    Slot(name: name, kind: .section(isEmpty: isEmpty, compile: compile))
  }
}

/// The slots of a model.
public struct Slots<Model: Sendable>: Sendable, ExpressibleByArrayLiteral {
  let slots: [String: Slot<Model>]

  public init(arrayLiteral slots: Slot<Model>...) {
    self.init(slots)
  }

  /// Two slots with one name are a programmer error.
  public init(_ slots: [Slot<Model>]) {
    self.slots = Dictionary(slots.map { ($0.name, $0) }) { first, _ in
      preconditionFailure("\(Model.self) has two slots with the name \"\(first.name)\"")
    }
  }

  init(merging outer: Slots, with inner: Slots) {
    self.slots = outer.slots.merging(inner.slots) { _, inner in inner }
  }

  subscript(name: String) -> Slot<Model>? {
    self.slots[name]
  }

  var names: [String] {
    self.slots.keys.sorted()
  }

  var declarations: [SlotDeclaration] {
    self.slots.values.flatMap(\.declarations)
  }
}
