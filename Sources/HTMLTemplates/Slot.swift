/// A value of a model that a template can refer to: a name and a closure.
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
  /// Writes a model around content; the closure writes the content.
  public typealias Wrap = @Sendable (Model, inout HTMLWriter, (inout HTMLWriter) -> Void) -> Void

  let name: String
  let kind: Kind
  /// The slots that a dotted name can reach besides the slot itself: `{{name.member}}`.
  var members = Slots<Model>([])
  /// Where the slot is declared, if its template must use it.
  var declaration: SlotDeclaration?

  init(name: String, kind: Kind) {
    self.name = name
    self.kind = kind
  }
}

/// Declares that a template must use a slot. For example, a form that is never shown is a mistake.
public final class SlotDeclaration: Sendable {
  let text: String

  /// - Parameter text: What the slot is and where it is declared, for example `the form "save"
  ///   (AnimalsUI/AnimalEditor.swift:131)`.
  public init(_ text: String) {
    self.text = text
  }
}

extension Slot {
  /// The slot with members that dotted names can reach: `{{name.member}}`.
  public func with(members: [Slot]) -> Slot {
    var slot = self
    slot.members = Slots(members)
    return slot
  }

  /// The slot, marked as one that its template must use.
  public func required(_ declaration: SlotDeclaration) -> Slot {
    var slot = self
    slot.declaration = declaration
    return slot
  }

  /// The declarations that templates must use, of this slot and of the slots in it.
  var declarations: [SlotDeclaration] {
    var declarations = [self.declaration].compactMap(\.self)
    if case .scope(let scope) = self.kind { declarations += scope.declarations }
    return declarations
  }
}

// Values.
extension Slot {
  /// Escaped text: a string, a number, or any other value with a description. As a section it is
  /// shown unless the text is empty, and `{{.}}` is the text. A number is written as in Swift;
  /// format numbers that visitors read.
  ///
  /// This function has no overloads: with them, the compiler would need exponential time for a long
  /// list of slots.
  public static func text<Value: CustomStringConvertible & SendableMetatype>(
    _ name: String,
    _ value: @escaping @Sendable (Model) -> Value
  ) -> Slot {
    Slot(name: name, kind: .text { value($0).description })
  }

  /// Escaped text that may be missing.
  public static func optionalText(
    _ name: String,
    _ value: @escaping @Sendable (Model) -> String?
  ) -> Slot {
    Slot(name: name, kind: .optionalText(value))
  }

  /// HTML that the program itself made, written unescaped: `{{{name}}}` only.
  public static func html(
    _ name: String,
    _ value: @escaping @Sendable (Model) -> String
  ) -> Slot {
    Slot(name: name, kind: .html(value))
  }

  /// A section that is shown if the value is true.
  public static func flag(
    _ name: String,
    _ value: @escaping @Sendable (Model) -> Bool
  ) -> Slot {
    Slot(name: name, kind: .flag(value))
  }
}

// Scopes: sections in which inner names take precedence over outer names.
extension Slot {
  /// A part of the model: `{{part.name}}`, or a section.
  public static func nested<Value: Sendable>(
    _ name: String,
    _ slots: Slots<Value>,
    _ value: @escaping @Sendable (Model) -> Value
  ) -> Slot {
    Slot(name: name, kind: .scope(ValueScope(slots) { .one(value($0)) }))
  }

  /// A part of the model that may be missing. Then `{{part.name}}` and the section are empty.
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

  /// A section that is repeated for each element.
  public static func each<Element: Sendable>(
    _ name: String,
    _ slots: Slots<Element>,
    _ elements: @escaping @Sendable (Model) -> [Element]
  ) -> Slot {
    Slot(name: name, kind: .scope(ValueScope(slots, isList: true) { .many(elements($0)) }))
  }
}

// Slots that write their own HTML.
extension Slot {
  /// Anything that the closure writes: attributes, a component, a hole.
  ///
  /// - Parameter write: Writes HTML. It must escape text that is not its own.
  public static func writer(_ name: String, _ write: @escaping Write) -> Slot {
    .writer(name) { _ in write }
  }

  /// - Parameter compile: Called wherever a template uses the slot. Returns the closure that writes
  ///   it.
  public static func writer(
    _ name: String,
    compile: @escaping @Sendable (TemplatePosition) throws -> Write
  ) -> Slot {
    Slot(name: name, kind: .writer(compile: compile))
  }

  /// HTML around the content of a section, for example a form.
  ///
  /// - Parameter wrap: Writes HTML, and calls the closure where the content goes.
  public static func wrapper(
    _ name: String,
    _ wrap: @escaping Wrap
  ) -> Slot {
    .wrapper(name) { _, content in
      try content()
      return wrap
    }
  }

  /// - Parameter compile: Called wherever a template has the section. It must call `content` once,
  ///   which compiles the content, and returns the closure that writes around it.
  public static func wrapper(
    _ name: String,
    compile: @escaping @Sendable (TemplatePosition, _ content: () throws -> Void) throws -> Wrap
  ) -> Slot {
    Slot(name: name, kind: .wrapper(compile: compile))
  }

  /// A section that its owner compiles, for example rows that are rendered one at a time.
  ///
  /// - Parameters:
  ///   - isEmpty: Whether the inverted section is shown. Without it, there can be no inverted
  ///     section.
  ///   - compile: Compiles the content for models of its own. Returns the closure that writes it.
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

  /// Prepares the components that slots show, as if a template named each slot, whether or not their
  /// own templates compile.
  package func visitParts() {
    let nowhere = TemplatePosition(file: "", line: 1, column: 1)
    for slot in self.slots.values {
      switch slot.kind {
      case .writer(let compile): _ = try? compile(nowhere)
      case .scope(let scope): scope.visitParts()
      case .text, .optionalText, .html, .flag, .wrapper, .section: break
      }
    }
  }
}
