public import HTMLTemplates

extension Slot {
  /// A field, used in the section of its form. The form can post or change local state.
  ///
  /// The slot writes attributes (`name`, `type`, `value`, validation). The element, its label and
  /// its appearance are up to the template.
  ///
  /// | Control | In the template |
  /// | --- | --- |
  /// | a line, number, date, checkbox, hidden, picture | `<input {{name}}>` |
  /// | textarea | `<textarea {{name}}>{{name.text}}</textarea>` |
  /// | select, one or several | `<select {{name}}>{{name.options}}</select>` |
  /// | boxes, one or several | `{{#name}}<label><input {{choice}}> {{label}}</label>{{/name}}` |
  /// | buttons | `{{#name}}<button {{choice}}>{{label}}</button>{{/name}}`, or each by its value: `<button {{name.value}}>…</button>` |
  ///
  /// - Parameters:
  ///   - name: The slot's name in the template.
  ///   - field: The field.
  ///   - get: The initial value. In a form for local state: what it shows if the URL has no value.
  public static func field<Value>(
    _ name: String,
    _ field: Field<Value>,
    get: @escaping @Sendable (Model) -> Value? = { _ in nil }
  ) -> Slot {
    let options = field.control.options
    return .field(name, field, options: { _ in options }, isComplete: true, get: get)
  }

  /// A field whose choices depend on what is shown. If a `<select>` may be left empty, it needs a
  /// prompt, or a choice with an empty value.
  ///
  /// - Parameters:
  ///   - name: The slot's name in the template.
  ///   - field: The field.
  ///   - options: The choices.
  ///   - get: The initial value.
  public static func field<Value>(
    _ name: String,
    _ field: Field<Value>,
    options: @escaping @Sendable (Model) -> [FieldOption],
    get: @escaping @Sendable (Model) -> Value? = { _ in nil }
  ) -> Slot {
    .field(name, field, options: options, isComplete: false, get: get)
  }

  /// - Parameter isComplete: Whether the choices are those of the field, without an empty one.
  private static func field<Value>(
    _ name: String,
    _ field: Field<Value>,
    options: @escaping @Sendable (Model) -> [FieldOption],
    isComplete: Bool,
    get: @escaping @Sendable (Model) -> Value?
  ) -> Slot {
    let (write, control) = (field.write, field.control)
    let texts = { @Sendable (model: Model) in get(model).map(write) }
    switch control.kind {
    case .input, .hidden, .checkbox, .picture:
      return .writer(name) { position in
        let element = try FieldElement(field.name, control, .attributes, at: position)
        return { element.writeInput(texts($0), into: &$1) }
      }
    case .textarea:
      return Slot.writer(name) { position in
        let element = try FieldElement(field.name, control, .attributes, at: position)
        return { element.writeAttributes(texts($0), into: &$1) }
      }.with(members: [
        .writer("text") { position in
          let element = try FieldElement(field.name, control, .content, at: position)
          return { element.writeText(texts($0), into: &$1) }
        }
      ])
    case .select, .list:
      let prompt = control.prompt.map { [FieldOption("", $0)] } ?? []
      let needsChoice = isComplete && control.kind == .select && prompt.isEmpty
      return Slot.writer(name) { position in
        let element = try FieldElement(field.name, control, .attributes, at: position)
        guard needsChoice == false || element.mayBeEmpty == false else {
          throw position.error(
            "the field \"\(field.name)\" may be left empty: give it a prompt, which its <select> "
              + "shows then"
          )
        }
        return { element.writeAttributes(texts($0), into: &$1) }
      }.with(members: [
        .writer("options") { position in
          let element = try FieldElement(field.name, control, .content, at: position)
          return { element.writeOptions(prompt + options($0), texts($0), into: &$1) }
        }
      ])
    case .radio, .boxes, .buttons:
      let choices: Slots<FieldChosen> = [
        .text("label") { $0.option.label },
        .text("value") { $0.option.value },
        .writer("choice") { position in
          let element = try FieldElement(field.name, control, .attributes, at: position)
          return { element.writeChoice($0.option, $0.texts, into: &$1) }
        },
      ]
      return Slot.each(name, choices) { model in
        let texts = texts(model)
        return options(model).map { FieldChosen(option: $0, texts: texts) }
      }.with(
        members: control.kind != .buttons
          ? []
          : control.options.map { option in
            .writer(option.value) { position in
              let element = try FieldElement(
                field.name, control, .attributes, at: position, isOneOfSeveral: true)
              return { element.writeChoice(option, nil, into: &$1) }
            }
          }
      )
    case .none:
      preconditionFailure("the field \"\(field.name)\" has no element: its form has it")
    }
  }
}

/// A choice of a field, and the field's initial texts.
private struct FieldChosen: Sendable {
  let option: FieldOption
  let texts: [String]?
}

/// A field in the section of a form. It writes the parts of the field's element.
///
/// The texts that its functions receive are the initial ones; `nil` if there are none.
private struct FieldElement: Sendable {
  private let name: String
  private let control: FieldControl
  /// The form's name; `nil` for a form that changes local state.
  private let form: String?
  /// What the field shows by default in a form that changes local state.
  private let initial: [String]

  /// - Parameters:
  ///   - part: The part that a template uses.
  ///   - isOneOfSeveral: Whether the field may have other elements.
  /// - Throws: `TemplateError` if the part may not be there.
  init(
    _ name: String,
    _ control: FieldControl,
    _ part: FormScope.Part,
    at position: TemplatePosition,
    isOneOfSeveral: Bool = false
  ) throws {
    guard let scope = FormScope.current else {
      throw position.error(
        "the field \"\(name)\" has to be in the section of its form, in the same template: "
          + "{{#form}}…{{/form}}"
      )
    }
    try scope.use(name, control, part, at: position, isOneOfSeveral: isOneOfSeveral)
    self.name = name
    self.control = control
    self.form = scope.form
    self.initial = scope.initial[name] ?? []
    guard self.form != nil || control.isAbsentWhenEmpty == false || self.initial.isEmpty else {
      throw position.error(
        "the field \"\(name)\" has to be empty by default: a URL cannot say that it is"
      )
    }
  }

  /// Whether nothing needs to be chosen or entered.
  var mayBeEmpty: Bool {
    self.form == nil ? self.initial.allSatisfy(\.isEmpty) : self.control.isRequired == false
  }

  /// Writes the attributes of an `<input>` that is the whole field.
  func writeInput(_ texts: [String]?, into writer: inout HTMLWriter) {
    let texts = texts ?? self.initial
    switch self.control.kind {
    case .input(let type):
      self.writeBeginning(type, texts, into: &writer)
      if self.control.isSecret == false {
        self.write(.value, texts, into: &writer) {
          $0.write(attribute: "value", texts.first ?? "")
        }
      }
      self.writeHole(.invalid, into: &writer)
    case .checkbox:
      self.writeBeginning("checkbox", texts, into: &writer)
      self.writeMark(FieldOption("true", ""), texts, into: &writer)
    case .picture:
      // A browser shows only files that the user has chosen.
      self.writeBeginning("file", [], into: &writer)
      self.writeHole(.invalid, into: &writer)
    default:
      writer.write("type=\"hidden\"")
      // An input without a name is not sent.
      let isSent = self.form == nil || texts.isEmpty == false
      if isSent { writer.write(attribute: "name", self.name) }
      self.writeParameter(texts, into: &writer)
      self.write(self.form == nil ? .value : .hidden, texts, into: &writer) { writer in
        if let text = texts.first { writer.write(attribute: "value", text) }
      }
      if isSent { writer.write(" autocomplete=\"off\"") }
    }
  }

  /// Writes the attributes of a `<textarea>` or a `<select>`.
  func writeAttributes(_ texts: [String]?, into writer: inout HTMLWriter) {
    let texts = texts ?? self.initial
    writer.write("name=\"")
    writer.escape(self.name)
    writer.write("\"")
    if self.control.kind == .list { writer.write(" multiple") }
    self.writeConstraints(into: &writer)
    self.writeParameter(texts, into: &writer)
    self.writeHole(
      self.control.kind == .textarea ? .textarea(texts.first ?? "") : .select, into: &writer)
    self.writeHole(.invalid, into: &writer)
  }

  func writeText(_ texts: [String]?, into writer: inout HTMLWriter) {
    let texts = texts ?? self.initial
    self.write(.text, texts, into: &writer) { $0.write(textarea: texts.first ?? "") }
  }

  func writeOptions(
    _ options: [FieldOption],
    _ texts: [String]?,
    into writer: inout HTMLWriter
  ) {
    let texts = texts ?? self.initial
    for option in options {
      writer.write("<option")
      writer.write(attribute: "value", option.value)
      self.write(.selected(option.value), texts, into: &writer) { writer in
        if texts.contains(option.value) { writer.write(" selected") }
      }
      writer.write(">")
      writer.escape(option.label)
      writer.write("</option>")
    }
  }

  /// Writes the attributes of one of a field's elements.
  func writeChoice(_ option: FieldOption, _ texts: [String]?, into writer: inout HTMLWriter) {
    let texts = texts ?? self.initial
    switch self.control.kind {
    case .buttons:
      writer.write("type=\"submit\"")
      writer.write(attribute: "name", self.name)
      writer.write(attribute: "value", option.value)
    default:
      let type = self.control.kind == .radio ? "radio" : "checkbox"
      self.writeBeginning(type, texts, into: &writer)
      self.writeMark(option, texts, into: &writer)
    }
  }

  private func writeMark(
    _ option: FieldOption,
    _ texts: [String],
    into writer: inout HTMLWriter
  ) {
    writer.write(attribute: "value", option.value)
    self.write(.checked(option.value), texts, into: &writer) { writer in
      if texts.contains(option.value) { writer.write(" checked") }
    }
    self.writeHole(.invalid, into: &writer)
  }

  /// Writes the first attributes of an `<input>`.
  private func writeBeginning(
    _ type: String,
    _ texts: [String],
    into writer: inout HTMLWriter
  ) {
    writer.write("type=\"")
    writer.escape(type)
    writer.write("\"")
    self.writeConstraints(into: &writer)
    writer.write(attribute: "name", self.name)
    self.writeParameter(texts, into: &writer)
  }

  /// Writes attributes for the browser's validation.
  private func writeConstraints(into writer: inout HTMLWriter) {
    guard self.form != nil else {
      // Nothing is required there, but a text beyond the limit would be ignored.
      if let limit = self.control.limit { writer.write(attribute: "maxlength", "\(limit)") }
      return
    }
    if self.control.isRequired { writer.write(" required") }
    writer.write(bytes: self.control.constraints.bytes)
  }

  /// In a form for local state, writes which parameter the field shows.
  private func writeParameter(_ texts: [String], into writer: inout HTMLWriter) {
    guard self.form == nil else { return }
    writer.write(attribute: "data-parameter", self.name)
    if let text = texts.first, text.isEmpty == false {
      writer.write(attribute: "data-default", text)
    }
  }

  /// Writes a hole at which a page can add something.
  private func writeHole(_ part: FieldHole.Part, into writer: inout HTMLWriter) {
    writer.hole(FieldHole(form: self.form, field: self.name, part: part))
  }

  /// Writes the initial value, and a hole at which a page can replace it.
  private func write(
    _ part: FieldHole.Part,
    _ texts: [String],
    into writer: inout HTMLWriter,
    initial: (inout HTMLWriter) -> Void
  ) {
    guard let form = self.form else {
      // It differs between windows, so shared bytes contain none.
      writer.hole(FieldHole(form: nil, field: self.name, part: part, initial: texts))
      return
    }
    var bytes = HTMLWriter()
    initial(&bytes)
    writer.hole(
      FieldHole(
        form: form,
        field: self.name,
        part: part,
        length: bytes.bytes.count,
        isAbsentWhenEmpty: self.control.isAbsentWhenEmpty
      )
    )
    writer.write(bytes: bytes.bytes)
  }
}
