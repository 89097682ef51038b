public import HTMLTemplates

/// Attributes of an element. Names are written unescaped.
public typealias FormAttributes = KeyValuePairs<StaticString, String>

extension Slot {
  /// A form that posts, around the content of the section: `{{#increment}}<button>…{{/increment}}`.
  ///
  /// The slot writes the `<form>` with everything that a submission needs, and an element for the
  /// error message. The section must use every field of the form through the field's own slot
  /// (``field(_:_:get:)``). Using the slot in a template registers the form.
  ///
  /// - Parameters:
  ///   - name: The slot's name in the template.
  ///   - form: The form.
  ///   - attributes: The attributes of the `<form>`, such as `["class": "quick", "data-reset":
  ///     ""]`.
  public static func form<Action>(
    _ name: String,
    _ form: Form<Action>,
    attributes: @escaping @Sendable (Model) -> FormAttributes = { _ in [:] }
  ) -> Slot {
    self.form(name, form, presented: nil, attributes)
  }

  /// A form in something that a window presents, such as a sheet, which the form closes.
  ///
  /// - Parameters:
  ///   - name: The slot's name in the template.
  ///   - form: The form.
  ///   - property: The presented property, which is closed in the window that posts the form.
  ///   - closing: When it closes.
  ///   - attributes: The attributes of the `<form>`.
  public static func form<Action, Local: LocalState, Value>(
    _ name: String,
    _ form: Form<Action>,
    closing property: any WritableKeyPath<Local, Presented<Value>> & Sendable,
    _ closing: Closing = .onSuccess,
    attributes: @escaping @Sendable (Model) -> FormAttributes = { _ in [:] }
  ) -> Slot {
    precondition(
      Local.parameters.contains { $0.property as AnyKeyPath == property },
      "the form \"\(form.name)\" closes \(property), which is no parameter of \(Local.self)"
    )
    let presented = FormClosing(property: property, closing: closing)
    return self.form(name, form, presented: presented, attributes)
  }

  private static func form<Action>(
    _ name: String,
    _ form: Form<Action>,
    presented: FormClosing?,
    _ attributes: @escaping @Sendable (Model) -> FormAttributes
  ) -> Slot {
    Slot.wrapper(name) { position, content in
      try TemplateSet.compiling?.register(form, closing: presented, at: position)
      let scope = FormScope(form: form.name, of: form.controls, form.callSite)
      try FormScope.$current.withValue(scope) { try content() }
      try scope.finish(at: position)
      return { model, writer, content in
        writer.write("<form method=\"post\"")
        // With the default encoding, a browser sends only the name of a file.
        if form.pictureLimits.isEmpty == false {
          writer.write(attribute: "enctype", "multipart/form-data")
        }
        writer.write(attribute: "data-form", form.name)
        writer.write(attribute: "data-policy", form.policy.rawValue)
        writer.write(attributes(model))
        writer.write(">")
        writer.write(hidden: FormField.form, form.name)
        writer.hole(PerWindowHole.token(form: form.name))
        content(&writer)
        writer.write("<p data-error role=\"alert\"")
        writer.hole(PerWindowHole.messageID(form: form.name))
        writer.write(">")
        writer.hole(PerWindowHole.message(form: form.name))
        writer.write("</p></form>")
      }
    }.required(SlotDeclaration("the form \"\(form.name)\" (\(form.callSite))"))
  }

  /// A GET form for local state, around the content of the section:
  /// `{{#searchForm}}…{{/searchForm}}`.
  ///
  /// Parameters without a field in the section keep their values, except those that are reset by a
  /// field (``Parameter/reset(by:)``).
  ///
  /// - Parameters:
  ///   - name: The slot's name in the template.
  ///   - local: The page's local state. The fields are those of its parameters.
  ///   - change: What changes in addition to the fields.
  ///   - attributes: The attributes of the `<form>`.
  public static func localForm<Local: LocalState>(
    _ name: String,
    _ local: Local.Type,
    change: @escaping @Sendable (inout LocalChange<Local>) -> Void = { _ in },
    attributes: @escaping @Sendable (Model) -> FormAttributes = { _ in [:] }
  ) -> Slot {
    let parameters = ParameterIndex<Local>()
    let changes = LocalChange.items(parameters: parameters, change)
    return .wrapper(name) { position, content in
      try LocalChange.check(change, at: position)
      let scope = FormScope(local)
      try FormScope.$current.withValue(scope) { try content() }
      try scope.finish(at: position)
      if let change = changes.first(where: { scope.used.contains($0.name) }) {
        throw position.error("the field \"\(change.name)\" is in this form twice")
      }
      let resets = parameters.items(resetBy: scope.used)
      let hidden =
        changes + resets.filter { reset in changes.allSatisfy { $0.name != reset.name } }
      let present = scope.used.union(hidden.map(\.name))
      return { model, writer, content in
        writer.write("<form method=\"get\" data-local")
        writer.write(attributes(model))
        writer.write(">")
        writer.hole(PerWindowHole.parameters(except: present))
        for item in hidden { writer.write(hidden: item.name, item.value) }
        content(&writer)
        writer.write("</form>")
      }
    }
  }
}

/// What a form closes in the window that posts it.
package struct FormClosing: Equatable, Sendable {
  let property: any AnyKeyPath & Sendable
  package let closing: Closing

  /// The type of the local state that has the property.
  var local: Any.Type {
    type(of: self.property as AnyKeyPath).rootType
  }

  package static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.property as AnyKeyPath == rhs.property as AnyKeyPath && lhs.closing == rhs.closing
  }
}

extension HTMLWriter {
  /// Writes a space, the attribute's name and its value.
  package mutating func write(attribute name: StaticString, _ value: String) {
    self.write(" ")
    self.write(name)
    self.write("=\"")
    self.escape(value)
    self.write("\"")
  }

  mutating func write(_ attributes: FormAttributes) {
    for (name, value) in attributes { self.write(attribute: name, value) }
  }

  package mutating func write(hidden name: String, _ value: String) {
    self.write("<input type=\"hidden\" name=\"")
    self.escape(name)
    self.write("\" value=\"")
    self.escape(value)
    self.write("\" autocomplete=\"off\">")
  }
}
