public import Foundation
import HTMLTemplates
public import ImmutableData

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

  /// The token of the submission. It can identify what the submission creates until that has an id
  /// of its own. It has no element in a template.
  public static var submission: Self {
    Self(
      name: FormField.token,
      control: FieldControl(.none),
      read: { texts in
        // Any text can be a token: tokens are not secret, and clients make them.
        guard let token = texts.first, (1...128).contains(token.utf8.count) else {
          throw Refusal(.invalid, FieldControl.incomplete)
        }
        return token
      },
      write: { [$0] }
    )
  }
}

extension Field where Value == TimeZone {
  /// The time zone of the window that posts the form, for the days and times that people enter in
  /// it: `day.date(at: time, in: timeZone)`. It has no element in a template. If the browser has not
  /// reported its time zone, because it has never run JavaScript, it is that of the server.
  public static var timeZone: Self {
    Self(
      name: FormField.timeZone,
      control: FieldControl(.none),
      read: { $0.first.flatMap(TimeZone.init(reported:)) ?? .current },
      write: { [$0.identifier] }
    )
  }
}

extension Field where Value == Visitor {
  /// Who posts the form. It has no element in a template, and a post that contains it is refused.
  public static var visitor: Self {
    Self(
      name: FormField.visitor,
      control: FieldControl(.none),
      read: { texts in
        guard let text = texts.first else { throw Refusal(.invalid, FieldControl.incomplete) }
        return Visitor(rawValue: text)
      },
      write: { [$0.rawValue] }
    )
  }
}

extension Field where Value == Bool {
  /// A checkbox. If it is unchecked, nothing is sent and the value is false.
  public static func checkbox(_ name: String) -> Self {
    Self(
      name: name,
      control: FieldControl(.checkbox),
      read: { $0.contains("true") },
      write: { $0 ? ["true"] : [] }
    )
  }
}

extension Field where Value == CalendarDay {
  /// A calendar day, written `2018-02-07`.
  ///
  /// - Parameters:
  ///   - name: The field's name.
  ///   - message: The validation error if the text is not such a day.
  ///   - range: The allowed days; `nil` allows all.
  public static func date(
    _ name: String,
    _ message: String,
    in range: ClosedRange<CalendarDay>? = nil
  ) -> Self {
    Self(name, FieldControl("date", in: range), .description, message) {
      range?.contains($0) ?? true
    }
  }
}

extension Field where Value == TimeOfDay {
  /// A time of day, written `18:30`.
  ///
  /// - Parameters:
  ///   - name: The field's name.
  ///   - message: The validation error if the text is not such a time.
  ///   - range: The allowed times; `nil` allows all.
  public static func time(
    _ name: String,
    _ message: String,
    in range: ClosedRange<TimeOfDay>? = nil
  ) -> Self {
    Self(name, FieldControl("time", in: range), .description, message) {
      range?.contains($0) ?? true
    }
  }
}

extension FieldControl {
  /// - Parameters:
  ///   - input: The type of the input.
  ///   - range: What it lets users enter; `nil` for everything.
  fileprivate init<Value: CustomStringConvertible>(_ input: String, in range: ClosedRange<Value>?) {
    self.init(.input(input), isRequired: true)
    guard let range else { return }
    self.constraints.write(attribute: "min", range.lowerBound.description)
    self.constraints.write(attribute: "max", range.upperBound.description)
  }
}

// Values that convert to and from text.
extension Field where Value: LosslessStringConvertible {
  /// A number in a range.
  ///
  /// - Parameters:
  ///   - name: The field's name.
  ///   - message: The validation error if the text is not such a number.
  ///   - range: The allowed numbers.
  public static func number(
    _ name: String,
    _ message: String,
    in range: ClosedRange<Value>
  ) -> Self where Value: Comparable {
    var control = FieldControl("number", in: range)
    let isWhole = Value.self is any BinaryInteger.Type
    if isWhole == false { control.constraints.write(" step=\"any\"") }
    // Browsers let people write a whole number as 2.0 or 1e1.
    let coding = TextCoding<Value>(
      read: { text in
        Value(text)
          ?? (isWhole ? Double(text).flatMap(Int.init(exactly:)).flatMap { Value("\($0)") } : nil)
      },
      write: { $0.description }
    )
    return Self(name, control, coding, message) { range.contains($0) }
  }

  /// A slider. Its template has the range, which depends on what is shown:
  /// `<input min="{{first}}" max="{{last}}" {{name}}>`.
  ///
  /// - Parameter name: The field's name.
  package static func slider(_ name: String) -> Self {
    Self(name, FieldControl(.input("range")), .description, FieldControl.incomplete)
  }

  /// A hidden field for the subject of a form, for example an id.
  ///
  /// - Parameters:
  ///   - name: The field's name.
  ///   - message: The error if it is missing.
  public static func hidden(_ name: String, _ message: String? = nil) -> Self {
    Self(name, FieldControl(.hidden), .description, message ?? FieldControl.incomplete)
  }

  /// A choice of one value.
  ///
  /// - Parameters:
  ///   - name: The field's name.
  ///   - style: Its appearance.
  ///   - values: The choices; if empty, the slot provides them.
  ///   - prompt: What a `<select>` shows while nothing is chosen; `nil` to start with the first
  ///     value.
  ///   - message: The validation error if nothing is chosen.
  ///   - label: The text of a value.
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
  /// A hidden field for the subject of a form.
  ///
  /// - Parameters:
  ///   - name: The field's name.
  ///   - message: The error if it is missing.
  public static func hidden(_ name: String, _ message: String? = nil) -> Self {
    Self(name, FieldControl(.hidden), .rawValue, message ?? FieldControl.incomplete)
  }

  /// A choice of one value.
  ///
  /// - Parameters:
  ///   - name: The field's name.
  ///   - style: Its appearance.
  ///   - values: The choices; if empty, the slot provides them.
  ///   - prompt: What a `<select>` shows while nothing is chosen; `nil` to start with the first
  ///     value.
  ///   - message: The validation error if nothing is chosen.
  ///   - label: The text of a value.
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
  /// A choice of any number of values.
  ///
  /// - Parameters:
  ///   - name: The field's name.
  ///   - style: Its appearance: `.select` or `.boxes`.
  ///   - values: The choices; if empty, the slot provides them.
  ///   - label: The text of a value.
  public static func several<Element>(
    _ name: String,
    _ style: FieldChoice = .boxes,
    of values: [Element] = [],
    label: (Element) -> String = { $0.description }
  ) -> Self where Value == [Element], Element: LosslessStringConvertible & Sendable {
    .several(name, style, values, .description, label)
  }

  /// A choice of any number of values.
  ///
  /// - Parameters:
  ///   - name: The field's name.
  ///   - style: Its appearance: `.select` or `.boxes`.
  ///   - values: The choices; if empty, the slot provides them.
  ///   - label: The text of a value.
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
    precondition(style != .buttons, "the field \"\(name)\" of several values cannot be buttons")
    var control = FieldControl(style == .select ? .list : .boxes)
    control.options = values.map { FieldOption(coding.write($0), label($0)) }
    let known = Set(control.options.map(\.value))
    return Self(
      name: name,
      control: control,
      read: { texts in
        try texts.filter { $0.isEmpty == false }.map { text in
          guard known.isEmpty || known.contains(text), let value = coding.read(text) else {
            throw Refusal(field: name, "Choose one of the offered values.")
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
