extension Field where Value: LosslessStringConvertible {
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
  /// The same for values that are sent as their `rawValue`.
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

  /// The same for values that are sent as their `rawValue`.
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
}
