import HTMLTemplates

/// The kind of a line of text, for keyboards and for what browsers check.
public enum TextKind: String, Sendable {
  case text, search, email, url, tel, password
}

/// How a choice of one looks, or of several.
public enum FieldChoice: Sendable {
  /// A `<select>`.
  case select
  /// A radio button for each; a checkbox, where several may be chosen.
  case boxes
  /// A button for each, which submits the form.
  case buttons

  var kind: FieldControl.Kind {
    switch self {
    case .select: .select
    case .boxes: .radio
    case .buttons: .buttons
    }
  }
}

/// One of what a field offers.
public struct FieldOption: Hashable, Sendable {
  let value: String
  let label: String

  /// - Parameters:
  ///   - value: What is sent.
  ///   - label: What is shown.
  public init(_ value: String, _ label: String) {
    self.value = value
    self.label = label
  }
}

/// The element, or elements, that a field is entered in.
struct FieldControl: Sendable {
  enum Kind: Hashable, Sendable {
    /// An `<input>` of a type whose `value` is the text.
    case input(String)
    case textarea
    case checkbox
    case hidden
    case select
    /// A `<select multiple>`.
    case list
    case radio
    /// Checkboxes of one name.
    case boxes
    case buttons
    /// Nothing: the form itself has it.
    case none
  }

  let kind: Kind
  var isRequired = false
  /// Attributes for what browsers check.
  var constraints = HTMLWriter()
  /// What there is to choose, if that is always the same.
  var options: [FieldOption] = []

  /// What a `<select>` shows while nothing is chosen.
  var prompt: String?

  /// - Parameter limit: The most characters, in UTF-16 as browsers count them.
  init(_ kind: Kind, isRequired: Bool = false, limit: Int? = nil) {
    self.kind = kind
    self.isRequired = isRequired
    if let limit { self.constraints.write(attribute: "maxlength", "\(limit)") }
  }

  /// For a field that only a broken or an old page leaves out.
  static let incomplete = "This form is incomplete. Reload the page and try again."

  /// Whether nothing is sent when nothing is chosen.
  var isAbsentWhenEmpty: Bool {
    self.kind == .checkbox || self.kind == .boxes || self.kind == .list
  }
}

/// How a value is written as one text.
struct TextCoding<Value: Sendable>: Sendable {
  let read: @Sendable (String) -> Value?
  let write: @Sendable (Value) -> String
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
