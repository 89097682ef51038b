/// Something of a model that a template can name: registered once, as a closure by name.
///
/// ```swift
/// let slots: Slots<Animal> = [
///   .text("name") { $0.name },
///   .number("legs") { $0.legs },
/// ]
/// ```
public struct Slot<Model: Sendable>: Sendable {
  enum Kind: Sendable {
    case text(@Sendable (Model) -> String)
    case optionalText(@Sendable (Model) -> String?)
    case number(@Sendable (Model) -> Int)
    case html(@Sendable (Model) -> String)
    case flag(@Sendable (Model) -> Bool)
    case scope(any SlotScope<Model>)
    case writer(
      prepare: @Sendable () throws -> Void,
      write: @Sendable (Model, inout HTMLWriter) -> Void
    )
    case wrapper(@Sendable (Model, inout HTMLWriter, (inout HTMLWriter) -> Void) -> Void)
    case section(
      isEmpty: (@Sendable (Model) -> Bool)?,
      compile: @Sendable (TemplateSection) throws -> @Sendable (Model, inout HTMLWriter) -> Void
    )
  }

  let name: String
  let kind: Kind
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

  /// Text that may not be there, escaped.
  public static func text(
    _ name: String,
    optional value: @escaping @Sendable (Model) -> String?
  ) -> Slot {
    Slot(name: name, kind: .optionalText(value))
  }

  public static func number(
    _ name: String,
    _ value: @escaping @Sendable (Model) -> Int
  ) -> Slot {
    Slot(name: name, kind: .number(value))
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
    _ write: @escaping @Sendable (Model, inout HTMLWriter) -> Void
  ) -> Slot {
    Slot(name: name, kind: .writer(prepare: prepare, write: write))
  }

  /// Something around what the section holds, for example a form.
  ///
  /// - Parameter wrap: Writes HTML, and calls the last closure where the content goes.
  public static func wrapper(
    _ name: String,
    _ wrap: @escaping @Sendable (Model, inout HTMLWriter, (inout HTMLWriter) -> Void) -> Void
  ) -> Slot {
    Slot(name: name, kind: .wrapper(wrap))
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
}
