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
/// A template shows it through the slot ``HTMLTemplates/Slot/field(_:_:get:)``. The same field serves
/// a form that posts and, as a ``Parameter`` of local state, a form that changes the URL. After a
/// refusal it shows again what was typed.
public struct Field<Value: Sendable>: Sendable {
  /// Unique in its form.
  public let name: String
  let control: FieldControl
  /// Makes the value of what was sent under the field's name: nothing, a text, or several.
  ///
  /// - Throws: ``Refusal`` for this field.
  let read: @Sendable (_ texts: [String]) throws -> Value
  /// What the field shows of a value.
  let write: @Sendable (Value) -> [String]
}

extension Field {
  /// The same field for values of another type, as a binding that reads with `get` and makes with
  /// `tag`.
  ///
  /// - Parameters:
  ///   - get: What the field shows of the other value.
  ///   - tag: Makes the other value, or throws what its user is told: a ``Refusal`` or an error that
  ///     is ``RefusalConvertible``.
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

  /// The same field, which may be left empty.
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
  /// A line of text that stands for a value.
  ///
  /// - Parameters:
  ///   - name: The field's name.
  ///   - kind: The `type` of its element.
  ///   - message: What a browser says to who leaves it empty; `nil`: it may be.
  ///   - limit: The most characters that a browser takes, in UTF-16.
  ///   - get: The text of a value.
  ///   - tag: Makes the value, or throws what its user is told: a ``Refusal`` or an error that is
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
      // Blanks alone are no text.
      control.constraints.write(attribute: "pattern", ".*\\S.*")
      control.constraints.write(attribute: "title", message)
    }
    return Self(
      name: name,
      control: control,
      read: { try tag($0.first ?? "") },
      write: { [get($0)] }
    )
  }
}

extension Field where Value == String {
  /// A line of text.
  ///
  /// - Parameters:
  ///   - name: The field's name.
  ///   - kind: The `type` of its element.
  ///   - message: What its user is told who leaves it empty; `nil`: it may be.
  ///   - limit: The most characters.
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
      tag: { try Self.check($0, of: name, message, limit) }
    )
  }

  /// A text of several lines, in a `<textarea>`.
  ///
  /// - Parameters:
  ///   - name: The field's name.
  ///   - message: What its user is told who leaves it empty; `nil`: it may be.
  ///   - limit: The most characters.
  public static func textarea(
    _ name: String,
    required message: String? = nil,
    limit: Int? = nil
  ) -> Self {
    Self(
      name: name,
      control: FieldControl(.textarea, isRequired: message != nil, limit: limit),
      // Browsers post the ends of lines as two characters.
      read: { texts in
        let text = (texts.first ?? "").replacing("\r\n", with: "\n")
        return try Self.check(text, of: name, message, limit)
      },
      write: { [$0] }
    )
  }

  /// What names the submission, and no other: a name for what it makes, until that has one of its
  /// own. It has no place in a template.
  public static var submission: Self {
    Self(
      name: FormField.token,
      control: FieldControl(.none),
      read: { texts in
        // Any text names a submission: tokens are no secret, and who mints them is the client.
        guard let token = texts.first, (1...128).contains(token.utf8.count) else {
          throw Refusal(.invalid, FieldControl.incomplete)
        }
        return token
      },
      write: { [$0] }
    )
  }

  private static func check(
    _ text: String,
    of name: String,
    _ message: String?,
    _ limit: Int?
  ) throws -> String {
    if let message, text.allSatisfy(\.isWhitespace) {
      throw Refusal(field: name, message)
    }
    if let limit, text.count > limit {
      throw Refusal(field: name, "This is too long. Enter at most \(limit) characters.")
    }
    return text
  }
}

extension Field where Value == Bool {
  /// A checkbox. Unchecked it is not sent, and false.
  public static func checkbox(_ name: String) -> Self {
    Self(
      name: name,
      control: FieldControl(.checkbox),
      read: { $0.contains("true") },
      write: { $0 ? ["true"] : [] }
    )
  }
}

// Values that are written as text.
extension Field where Value: LosslessStringConvertible {
  /// A number in a range.
  ///
  /// - Parameters:
  ///   - name: The field's name.
  ///   - message: What its user is told whose text is no such number.
  ///   - range: The numbers that may be entered.
  public static func number(
    _ name: String,
    _ message: String,
    in range: ClosedRange<Value>
  ) -> Self where Value: Comparable {
    var control = FieldControl(.input("number"), isRequired: true)
    control.constraints.write(attribute: "min", range.lowerBound.description)
    control.constraints.write(attribute: "max", range.upperBound.description)
    if Value.self is any BinaryFloatingPoint.Type { control.constraints.write(" step=\"any\"") }
    return Self(name, control, .description, message) { range.contains($0) }
  }

  /// A day of the calendar, written `2018-02-07`.
  ///
  /// - Parameters:
  ///   - name: The field's name.
  ///   - message: What its user is told whose text is no day.
  public static func date(_ name: String, _ message: String) -> Self {
    Self(name, FieldControl(.input("date"), isRequired: true), .description, message)
  }

  /// What a form is about, for example an id: a field that nobody sees.
  ///
  /// - Parameters:
  ///   - name: The field's name.
  ///   - message: What its user is told when it is missing.
  public static func hidden(_ name: String, _ message: String? = nil) -> Self {
    Self(name, FieldControl(.hidden), .description, message ?? FieldControl.incomplete)
  }

  /// One of several.
  ///
  /// - Parameters:
  ///   - name: The field's name.
  ///   - style: How it looks.
  ///   - values: What there is to choose; none: the slot says it.
  ///   - prompt: What a `<select>` shows while nothing is chosen; `nil`: it begins with the first.
  ///   - message: What its user is told who chooses nothing.
  ///   - label: What is shown of a value.
  public static func choice(
    _ name: String,
    _ style: FieldChoice = .select,
    of values: [Value] = [],
    prompt: String? = nil,
    _ message: String,
    label: (Value) -> String = { $0.description }
  ) -> Self {
    .choice(name, style, values, .description, prompt, message, label)
  }
}

extension Field where Value: RawRepresentable, Value.RawValue == String {
  /// What a form is about: a field that nobody sees.
  ///
  /// - Parameters:
  ///   - name: The field's name.
  ///   - message: What its user is told when it is missing.
  public static func hidden(_ name: String, _ message: String? = nil) -> Self {
    Self(name, FieldControl(.hidden), .rawValue, message ?? FieldControl.incomplete)
  }

  /// One of several.
  ///
  /// - Parameters:
  ///   - name: The field's name.
  ///   - style: How it looks.
  ///   - values: What there is to choose; none: the slot says it.
  ///   - prompt: What a `<select>` shows while nothing is chosen; `nil`: it begins with the first.
  ///   - message: What its user is told who chooses nothing.
  ///   - label: What is shown of a value.
  public static func choice(
    _ name: String,
    _ style: FieldChoice = .select,
    of values: [Value] = [],
    prompt: String? = nil,
    _ message: String,
    label: (Value) -> String = { $0.rawValue }
  ) -> Self {
    .choice(name, style, values, .rawValue, prompt, message, label)
  }
}

extension Field {
  /// Several of a list; they may be none.
  ///
  /// - Parameters:
  ///   - name: The field's name.
  ///   - style: How it looks: `.select` or `.boxes`.
  ///   - values: What there is to choose; none: the slot says it.
  ///   - label: What is shown of a value.
  public static func several<Element>(
    _ name: String,
    _ style: FieldChoice = .boxes,
    of values: [Element] = [],
    label: (Element) -> String = { $0.description }
  ) -> Self where Value == [Element], Element: LosslessStringConvertible & Sendable {
    .several(name, style, values, .description, label)
  }

  /// Several of a list; they may be none.
  ///
  /// - Parameters:
  ///   - name: The field's name.
  ///   - style: How it looks: `.select` or `.boxes`.
  ///   - values: What there is to choose; none: the slot says it.
  ///   - label: What is shown of a value.
  public static func several<Element>(
    _ name: String,
    _ style: FieldChoice = .boxes,
    of values: [Element] = [],
    label: (Element) -> String = { $0.rawValue }
  ) -> Self
  where Value == [Element], Element: RawRepresentable & Sendable, Element.RawValue == String {
    .several(name, style, values, .rawValue, label)
  }

  private static func several<Element>(
    _ name: String,
    _ style: FieldChoice,
    _ values: [Element],
    _ coding: TextCoding<Element>,
    _ label: (Element) -> String
  ) -> Self where Value == [Element] {
    var control = FieldControl(style == .select ? .list : .boxes)
    control.options = values.map { FieldOption(coding.write($0), label($0)) }
    let known = Set(control.options.map(\.value))
    return Self(
      name: name,
      control: control,
      read: { texts in
        try texts.filter { $0.isEmpty == false }.map { text in
          guard known.isEmpty || known.contains(text), let value = coding.read(text) else {
            throw Refusal(field: name, "Choose of what is offered.")
          }
          return value
        }
      },
      write: { $0.map(coding.write) }
    )
  }

  private static func choice(
    _ name: String,
    _ style: FieldChoice,
    _ values: [Value],
    _ coding: TextCoding<Value>,
    _ prompt: String?,
    _ message: String,
    _ label: (Value) -> String
  ) -> Self {
    var control = FieldControl(style.kind)
    control.isRequired = style != .buttons
    control.prompt = prompt
    control.options = values.map { FieldOption(coding.write($0), label($0)) }
    let known = Set(control.options.map(\.value))
    return Self(name, control, coding, message) {
      known.isEmpty || known.contains(coding.write($0))
    }
  }

  private init(
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
