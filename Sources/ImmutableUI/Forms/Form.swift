/// How often a submission takes effect.
public enum SubmissionPolicy: String, Sendable {
  /// Only once, no matter how often it is sent: after a double click, a lost response or going
  /// back.
  case once
  /// Once for each deliberate submit. Only a resend of the same submission is ignored.
  case repeatable
}

/// A form that posts an action: its name, its fields, and the action that their values make.
///
/// ```swift
/// static let rename = Form<AnimalsAction>("rename", fields: id, name) { id, name in
///   .ui(.onTapRenameButton(id: id, name: name))
/// }
/// ```
///
/// The slot ``HTMLTemplates/Slot/form(_:_:attributes:)`` registers the form when a template uses
/// it. From then on it can be posted to the pages of its product. An action that no form makes
/// cannot be posted. A product's forms make only `.ui` actions.
///
/// Source: the guide, chapter CounterUI, section Dispatch. Forms replace its closures.
public struct Form<Action: Sendable>: Sendable {
  public let name: String
  public let policy: SubmissionPolicy
  /// The names of all fields, in order.
  let fieldNames: [String]
  /// The controls of all fields, by name. Bounded by the fields.
  let controls: [String: FieldControl]
  /// The maximum size of each picture in bytes, by the name of its field.
  package let pictureLimits: [String: Int]
  /// The names of the fields that are never shown again or kept.
  package let secretNames: Set<String>
  let callSite: CallSite
  package let action: @Sendable (FormFields) throws -> Action

  /// - Parameters:
  ///   - name: Unique within its product.
  ///   - policy: How often a submission takes effect.
  ///   - field: The fields, with unique names.
  ///   - tag: Makes the action from the values of the fields, or throws a ``Refusal``.
  public init<each Value>(
    _ name: String,
    _ policy: SubmissionPolicy = .once,
    fields field: repeat Field<each Value>,
    tag: @escaping @Sendable (repeat each Value) throws -> Action,
    file: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column
  ) {
    precondition(
      name.contains(where: \.isWhitespace) == false,
      "the name of the form \"\(name)\" has white space, which an id of HTML may not have"
    )
    var fieldNames: [String] = []
    var controls: [String: FieldControl] = [:]
    for field in repeat each field {
      precondition(
        controls.updateValue(field.control, forKey: field.name) == nil,
        "the form \"\(name)\" has two fields with the name \"\(field.name)\""
      )
      fieldNames.append(field.name)
    }
    self.name = name
    self.policy = policy
    self.fieldNames = fieldNames
    self.controls = controls
    self.pictureLimits = controls.compactMapValues(\.byteLimit)
    self.secretNames = Set(controls.filter(\.value.isSecret).keys)
    self.callSite = CallSite(file: file, line: line, column: column)
    self.action = { fields in
      var refusals: [Refusal] = []
      // All fields are read, so that the user sees all validation errors at once.
      let results = (repeat fields.read(each field, &refusals))
      guard refusals.isEmpty else { throw Refusal(merging: refusals) }
      return try tag(repeat try (each results).get())
    }
  }
}

extension FormFields {
  fileprivate func read<Value>(
    _ field: Field<Value>,
    _ refusals: inout [Refusal]
  ) -> Result<Value, any Error> {
    Result {
      do {
        return try field.read(self.texts(of: field))
      } catch {
        refusals.append(Refusal(error))
        throw error
      }
    }
  }
}

/// The names of the library's own hidden fields.
public enum FormField {
  /// Identifies the form.
  public static let form = "_form"
  /// Identifies the submission, so that a resend is recognised.
  public static let token = "_token"
  /// The time zone of the window, which the server fills in.
  static let timeZone = "_timeZone"
  /// The visitor who posts it, which the server fills in.
  static let visitor = "_visitor"
  /// In the form ``undo``, the submission to undo.
  public static let submission = "_submission"

  /// The name of the form that undoes a submission. It can be posted to every page.
  public static let undo = "_undo"
}
