import HTMLTemplates

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
}

extension Field where Value: RawRepresentable, Value.RawValue == String {
  /// The same for a value that is sent as its `rawValue`.
  public static func hidden(_ name: String, _ message: String? = nil) -> Self {
    Self(name, FieldControl(.hidden), .rawValue, message ?? FieldControl.incomplete)
  }
}
