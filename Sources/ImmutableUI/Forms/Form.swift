/// How often a submission takes effect.
public enum SubmissionPolicy: String, Sendable {
  /// Once, however often it is sent: by double click, after a lost answer, by going back.
  case once
  /// Every deliberate submit counts; only a resend of the same submission does not.
  case repeatable
}

/// A form that posts what just happened: its name, and the action it becomes.
///
/// ```swift
/// static let increment = Form<CounterAction>("increment", .repeatable) { _ in
///   .didTapIncrementButton
/// }
/// ```
///
/// What no form makes cannot be posted. A product's forms make `.ui` actions alone.
///
/// Source: the guide, chapter CounterUI, section Dispatch, whose closures forms stand for.
public struct Form<Action: Sendable>: Sendable {
  public let name: String
  public let policy: SubmissionPolicy
  let action: @Sendable (FormFields) throws -> Action

  /// - Parameters:
  ///   - name: Unique on its page.
  ///   - policy: How often a submission takes effect.
  ///   - action: Makes the action from the fields, or throws a ``Refusal`` (``FormFields`` does so
  ///     for fields that are missing or do not parse).
  public init(
    _ name: String,
    _ policy: SubmissionPolicy = .once,
    action: @escaping @Sendable (FormFields) throws -> Action
  ) {
    self.name = name
    self.policy = policy
    self.action = action
  }
}

/// The names of hidden fields that are ours.
public enum FormField {
  /// Says which form was submitted.
  public static let form = "_form"
  /// Says which submission it is, so that a resend is known as one.
  public static let token = "_token"
}
