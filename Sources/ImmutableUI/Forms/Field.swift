import HTMLTemplates

/// One input of a form: its name, its control, how its text is parsed, and the validation error.
///
/// ```swift
/// static let name = Field.text("name", required: "Enter a name.", limit: 80)
/// static let diet = Field<Diet>.choice("diet", of: Diet.allCases, "Select a diet.") { $0.rawValue }
///
/// static let save = Form<AnimalsAction>("save", fields: name, diet) { name, diet in
///   .ui(.onTapSaveButton(name: name, diet: diet))
/// }
/// ```
///
/// A template shows it through the slot ``HTMLTemplates/Slot/field(_:_:get:)``. The same field can
/// be used in a form that posts and, as a ``Parameter`` of local state, in a form that changes the
/// URL. After a refusal it shows what the user typed.
public struct Field<Value: Sendable>: Sendable {
  /// Unique within its form.
  public let name: String
  let control: FieldControl
  /// Makes the value from the texts that were sent under the field's name: none, one or several.
  ///
  /// - Throws: ``Refusal`` for this field.
  let read: @Sendable (_ texts: [String]) throws -> Value
  /// The texts that the field shows for a value.
  let write: @Sendable (Value) -> [String]
}

extension Field {
  /// The same field for values of another type, like a binding with `get` and `tag`.
  ///
  /// - Parameters:
  ///   - get: The value that the field shows for the other value.
  ///   - tag: Makes the other value, or throws an error for the user: a ``Refusal`` or a
  ///     ``RefusalConvertible``.
  public func map<Other>(
    get: @escaping @Sendable (Other) -> Value,
    tag: @escaping @Sendable (Value) throws -> Other
  ) -> Field<Other> {
    let (read, write) = (self.read, self.write)
    return Field<Other>(
      name: self.name,
      control: self.control,
      read: { try tag(read($0)) },
      write: { write(get($0)) }
    )
  }

  /// The same field, but it may be left empty. A `<select>` then needs a prompt: without one, a
  /// browser would choose its first value.
  public func optional() -> Field<Value?> {
    var control = self.control
    control.isRequired = false
    let (read, write) = (self.read, self.write)
    return Field<Value?>(
      name: self.name,
      control: control,
      read: { $0.allSatisfy(\.isEmpty) ? nil : try read($0) },
      write: { $0.map(write) ?? [] }
    )
  }
}

// Texts.
extension Field {
  /// A line of text that represents a value.
  ///
  /// - Parameters:
  ///   - name: The field's name.
  ///   - kind: The `type` of its element.
  ///   - message: The validation error if it is left empty; `nil` if it may be empty.
  ///   - limit: The maximum number of characters, each of at most four bytes. A browser counts them
  ///     in UTF-16.
  ///   - get: The text of a value.
  ///   - tag: Makes the value, or throws an error for the user: a ``Refusal`` or a
  ///     ``RefusalConvertible``.
  public static func text(
    _ name: String,
    _ kind: TextKind = .text,
    required message: String? = nil,
    limit: Int? = nil,
    get: @escaping @Sendable (Value) -> String,
    tag: @escaping @Sendable (String) throws -> Value
  ) -> Self {
    var control = FieldControl(.input(kind.rawValue), isRequired: message != nil, limit: limit)
    if let message {
      // White space alone does not count as text.
      control.constraints.write(attribute: "pattern", ".*\\S.*")
      control.constraints.write(attribute: "title", message)
    }
    return Self(
      name: name,
      control: control,
      read: { texts in
        let text = texts.first ?? ""
        // Its own error says more than the general ones.
        let value = try tag(text)
        try Self.check(text, of: name, message, limit)
        return value
      },
      write: { [get($0)] }
    )
  }

  private static func check(
    _ text: String,
    of name: String,
    _ message: String?,
    _ limit: Int?
  ) throws {
    if let message, text.allSatisfy(\.isWhitespace) {
      throw Refusal(field: name, message)
    }
    // A character can have any number of combining marks.
    if let limit, text.utf8.count > 4 * limit || text.count > limit {
      throw Refusal(field: name, "This is too long. Enter at most \(limit) characters.")
    }
  }
}

extension Field where Value == String {
  /// A line of text.
  ///
  /// - Parameters:
  ///   - name: The field's name.
  ///   - kind: The `type` of its element.
  ///   - message: The validation error if it is left empty; `nil` if it may be empty.
  ///   - limit: The maximum number of characters, each of at most four bytes.
  public static func text(
    _ name: String,
    _ kind: TextKind = .text,
    required message: String? = nil,
    limit: Int? = nil
  ) -> Self {
    .text(
      name,
      kind,
      required: message,
      limit: limit,
      get: { $0 },
      tag: { $0 }
    )
  }

  /// A text of several lines, in a `<textarea>`.
  ///
  /// - Parameters:
  ///   - name: The field's name.
  ///   - message: The validation error if it is left empty; `nil` if it may be empty.
  ///   - limit: The maximum number of characters, each of at most four bytes.
  public static func textarea(
    _ name: String,
    required message: String? = nil,
    limit: Int? = nil
  ) -> Self {
    Self(
      name: name,
      control: FieldControl(.textarea, isRequired: message != nil, limit: limit),
      // Browsers post a line end as two characters.
      read: { texts in
        let text = (texts.first ?? "").replacing("\r\n", with: "\n")
        try Self.check(text, of: name, message, limit)
        return text
      },
      write: { [$0] }
    )
  }
}

extension Field {
  /// - Parameters:
  ///   - coding: The value's text.
  ///   - message: The validation error if it is missing, or not such a value.
  ///   - isAllowed: Whether a value may be entered.
  init(
    _ name: String,
    _ control: FieldControl,
    _ coding: TextCoding<Value>,
    _ message: String,
    where isAllowed: @escaping @Sendable (Value) -> Bool = { _ in true }
  ) {
    self.init(
      name: name,
      control: control,
      read: { texts in
        guard let text = texts.first, text.isEmpty == false, let value = coding.read(text),
          isAllowed(value)
        else { throw Refusal(field: name, message) }
        return value
      },
      write: { [coding.write($0)] }
    )
  }
}
