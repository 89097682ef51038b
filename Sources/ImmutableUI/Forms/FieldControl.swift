import HTMLTemplates

/// The kind of a line of text. It determines the keyboard and what browsers validate.
public enum TextKind: String, Sendable {
  case text, search, email, url, tel
  /// The page never contains its text, and after a refusal it has to be entered again.
  case password
}

/// The appearance of a choice.
public enum FieldChoice: Sendable {
  /// A `<select>`.
  case select
  /// Radio buttons, or checkboxes if several values may be chosen.
  case boxes
  /// Buttons, each of which submits the form.
  case buttons

  var kind: FieldControl.Kind {
    switch self {
    case .select: .select
    case .boxes: .radio
    case .buttons: .buttons
    }
  }
}

/// One choice of a field.
public struct FieldOption: Hashable, Sendable {
  let value: String
  let label: String

  /// - Parameters:
  ///   - value: The text that is sent.
  ///   - label: The text that is shown.
  public init(_ value: String, _ label: String) {
    self.value = value
    self.label = label
  }
}

/// The form element, or elements, of a field.
struct FieldControl: Sendable {
  enum Kind: Hashable, Sendable {
    /// An `<input>` of this type whose `value` is the text.
    case input(String)
    case textarea
    case checkbox
    case hidden
    /// An `<input type="file">` for a picture.
    case picture
    case select
    /// A `<select multiple>`.
    case list
    case radio
    /// Checkboxes with the same name.
    case boxes
    case buttons
    /// No element: the form itself writes it.
    case none
  }

  let kind: Kind
  var isRequired = false
  /// Attributes for the browser's validation.
  var constraints = HTMLWriter()
  /// The choices, if they are always the same.
  var options: [FieldOption] = []

  /// What a `<select>` shows while nothing is chosen.
  var prompt: String?

  /// The maximum size of a file in bytes.
  var byteLimit: Int?

  /// The maximum number of characters.
  let limit: Int?

  /// - Parameter limit: The maximum number of characters, in UTF-16 as browsers count them.
  init(_ kind: Kind, isRequired: Bool = false, limit: Int? = nil) {
    self.kind = kind
    self.isRequired = isRequired
    self.limit = limit
    if let limit { self.constraints.write(attribute: "maxlength", "\(limit)") }
  }

  /// The error for a field that only a broken or outdated page omits.
  static let incomplete = "This form is incomplete. Reload the page and try again."

  /// Whether its text is never shown or kept.
  var isSecret: Bool { self.kind == .input(TextKind.password.rawValue) }

  /// Whether a browser validates both in the same way.
  func isSame(as other: Self) -> Bool {
    self.kind == other.kind && self.isRequired == other.isRequired
      && self.constraints.bytes == other.constraints.bytes
  }

  /// The parts that a template must use.
  var neededParts: Set<FormScope.Part> {
    switch self.kind {
    case .textarea, .select, .list: [.attributes, .content]
    default: []
    }
  }

  /// Whether nothing is sent if nothing is chosen.
  var isAbsentWhenEmpty: Bool {
    self.kind == .checkbox || self.kind == .boxes || self.kind == .list
  }
}

/// Converts a value to and from a single text.
struct TextCoding<Value: Sendable>: Sendable {
  let read: @Sendable (String) -> Value?
  let write: @Sendable (Value) -> String

  /// The texts of all values, if they are few.
  var choices: [String] {
    if let values = [false, true] as? [Value] { return values.map(self.write) }
    func all<T: CaseIterable>(_ type: T.Type) -> [Value] { Array(type.allCases) as? [Value] ?? [] }
    return (Value.self as? any CaseIterable.Type).map { all($0) }?.map(self.write) ?? []
  }
}

extension TextCoding where Value: LosslessStringConvertible {
  static var description: Self {
    Self(read: { Value($0) }, write: { $0.description })
  }
}

extension TextCoding where Value: RawRepresentable, Value.RawValue == String {
  static var rawValue: Self {
    Self(read: { Value(rawValue: $0) }, write: { $0.rawValue })
  }
}
