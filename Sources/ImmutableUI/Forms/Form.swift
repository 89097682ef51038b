/// How often a submission takes effect.
public enum SubmissionPolicy: String, Sendable {
  /// Once, however often it is sent: by double click, after a lost answer, by going back.
  case once
  /// Every deliberate submit counts; only a resend of the same submission does not.
  case repeatable
}

/// A form that posts what just happened: its name, its fields, and the action that these become.
///
/// ```swift
/// static let rename = Form<AnimalsAction>("rename", fields: id, name) { id, name in
///   .ui(.onTapRenameButton(id: id, name: name))
/// }
/// ```
///
/// A form can be posted where its product is shown, once a template uses it: the slot
/// ``HTMLTemplates/Slot/form(_:_:attributes:)`` registers it. What no form makes cannot be posted. A
/// product's forms make `.ui` actions alone.
///
/// Source: the guide, chapter CounterUI, section Dispatch, whose closures forms stand for.
public struct Form<Action: Sendable>: Sendable {
  public let name: String
  public let policy: SubmissionPolicy
  /// Those of all fields, in order.
  let fieldNames: [String]
  /// Those of the fields that a template has to show.
  let shownNames: [String]
  let callSite: CallSite
  package let action: @Sendable (FormFields) throws -> Action

  /// - Parameters:
  ///   - name: Unique in its product.
  ///   - policy: How often a submission takes effect.
  ///   - field: What it asks for; names are unique.
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
    var (fieldNames, shownNames): ([String], [String]) = ([], [])
    for field in repeat each field {
      precondition(
        fieldNames.contains(field.name) == false,
        "the form \"\(name)\" has two fields with the name \"\(field.name)\""
      )
      fieldNames.append(field.name)
      if field.control.kind != .none { shownNames.append(field.name) }
    }
    self.name = name
    self.policy = policy
    self.fieldNames = fieldNames
    self.shownNames = shownNames
    self.callSite = CallSite(file: file, line: line, column: column)
    self.action = { fields in
      var refusals: [Refusal] = []
      // All fields are read, so that its user is told of all that is wrong.
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
        return try field.read(self.values(of: field.name))
      } catch {
        refusals.append(Refusal(error))
        throw error
      }
    }
  }
}

/// The names of hidden fields that are ours.
public enum FormField {
  /// Says which form was submitted.
  public static let form = "_form"
  /// Says which submission it is, so that a resend is known as one.
  public static let token = "_token"
}
