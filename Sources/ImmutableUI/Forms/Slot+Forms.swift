public import HTMLTemplates

extension Slot {
  /// A form that posts, around what the section holds: `{{#increment}}<button>…{{/increment}}`.
  ///
  /// The slot writes the `<form>` with everything that a submission needs, and a place for the
  /// message if it is refused.
  ///
  /// - Parameters:
  ///   - name: The slot's name in the template.
  ///   - form: The form.
  ///   - values: Hidden fields that say what the form is about, for example an id.
  public static func form<Action>(
    _ name: String,
    _ form: Form<Action>,
    values: @escaping @Sendable (Model) -> [QueryItem] = { _ in [] }
  ) -> Slot {
    .wrapper(name) { model, writer, content in
      writer.write("<form method=\"post\" data-form=\"")
      writer.escape(form.name)
      writer.write("\" data-policy=\"")
      writer.escape(form.policy.rawValue)
      writer.write("\">")
      writer.write(hidden: FormField.form, form.name)
      for value in values(model) {
        writer.write(hidden: value.name, value.value)
      }
      writer.hole(LateHole.token)
      content(&writer)
      writer.write("<p data-error role=\"alert\"")
      writer.hole(LateHole.messageID(form: form.name))
      writer.write(">")
      writer.hole(LateHole.message(form: form.name))
      writer.write("</p></form>")
    }
  }

  /// Attributes of a text field in a form that posts: `<input {{name}}>`.
  ///
  /// - Parameters:
  ///   - name: The slot's name in the template.
  ///   - field: The field's name.
  ///   - form: The form that it is in.
  ///   - value: The text that it starts with.
  public static func field<Action>(
    _ name: String,
    _ field: String,
    in form: Form<Action>,
    _ value: @escaping @Sendable (Model) -> String
  ) -> Slot {
    .writer(name) { model, writer in
      writer.write("name=\"")
      writer.escape(field)
      writer.write("\"")
      var attribute = HTMLWriter()
      attribute.write(attribute: "value", value(model))
      writer.hole(
        LateHole.value(form: form.name, field: field, length: attribute.bytes.count)
      )
      writer.write(bytes: attribute.bytes)
    }
  }
}

extension Slot {
  /// Attributes of a `<select>` in a form that posts: `<select {{category}}>{{categories}}</select>`.
  ///
  /// - Parameters:
  ///   - name: The slot's name in the template.
  ///   - field: The field's name.
  ///   - form: The form that it is in.
  public static func choice<Action>(
    _ name: String,
    _ field: String,
    in form: Form<Action>
  ) -> Slot {
    .writer(name) { _, writer in
      writer.write("name=\"")
      writer.escape(field)
      writer.write("\"")
      writer.hole(LateHole.invalid(form: form.name, field: field))
    }
  }

  /// What a `<select>` in a form that posts offers.
  ///
  /// - Parameters:
  ///   - name: The slot's name in the template.
  ///   - field: The name of the field.
  ///   - form: The form that it is in.
  ///   - selected: The value that it starts with.
  ///   - options: What there is to choose.
  public static func options<Action>(
    _ name: String,
    _ field: String,
    in form: Form<Action>,
    selected: @escaping @Sendable (Model) -> String,
    _ options: @escaping @Sendable (Model) -> [FormOption]
  ) -> Slot {
    .writer(name) { model, writer in
      let selected = selected(model)
      for option in options(model) {
        writer.write("<option")
        writer.write(attribute: "value", option.value)
        let mark = option.value == selected ? " selected" : ""
        writer.hole(
          LateHole.selected(
            form: form.name,
            field: field,
            value: option.value,
            length: mark.utf8.count
          )
        )
        writer.write(trusted: mark)
        writer.write(">")
        writer.escape(option.label)
        writer.write("</option>")
      }
    }
  }
}

/// One choice of a `<select>`.
public struct FormOption: Hashable, Sendable {
  let value: String
  let label: String

  /// - Parameters:
  ///   - value: What is posted.
  ///   - label: What is shown.
  public init(_ value: String, _ label: String) {
    self.value = value
    self.label = label
  }
}

extension HTMLWriter {
  /// Writes a space, the attribute's name and its value.
  mutating func write(attribute name: StaticString, _ value: String) {
    self.write(" ")
    self.write(name)
    self.write("=\"")
    self.escape(value)
    self.write("\"")
  }

  mutating func write(hidden name: String, _ value: String) {
    self.write("<input type=\"hidden\" name=\"")
    self.escape(name)
    self.write("\" value=\"")
    self.escape(value)
    self.write("\" autocomplete=\"off\">")
  }
}
