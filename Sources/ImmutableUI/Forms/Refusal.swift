/// The reason why a submitted action was not carried out, as a message for the user.
///
/// Nothing has changed, and the user's input is kept.
public struct Refusal: Error, Hashable, Sendable {
  public enum Kind: Hashable, Sendable {
    /// A field is missing or does not parse: 422.
    case invalid
    /// The action is valid, but not in the current state: 409.
    case conflict
    /// The action is possible, but the user should decide again: 409. The form can offer a button that
    /// does it anyway, which a style sheet shows beside `[data-warning]`.
    case warning
    /// It is too late for the action, and a retry would not help: 410.
    case gone
    /// The form does not exist, or the action's subject does not: 404.
    case unknown
    /// A file is larger than it may be: 413.
    case tooLarge
    /// The action was accepted, and its effect has failed: 500.
    case failure
    /// It is unknown whether the action will take effect. Browsers resend it automatically: 503.
    case unavailable
  }

  public let kind: Kind
  /// A sentence that says what to do.
  public let message: String
  /// Messages for individual fields, by field name.
  public let fields: [String: String]

  public init(_ kind: Kind, _ message: String, fields: [String: String] = [:]) {
    self.kind = kind
    self.message = message
    self.fields = fields
  }

  /// A field that is missing or does not parse.
  public init(field: String, _ message: String) {
    self.init(.invalid, message, fields: [field: message])
  }
}

/// A reducer's error that has a message for the user who submitted the action.
///
/// ```swift
/// extension CounterReducer.Error: RefusalConvertible {
///   public var refusal: Refusal { Refusal(.conflict, "The counter cannot go any higher.") }
/// }
/// ```
public protocol RefusalConvertible: Error {
  var refusal: Refusal { get }
}

extension Refusal: RefusalConvertible {
  public var refusal: Refusal { self }
}

extension Refusal {
  /// Merges refusals. Every field keeps its message.
  ///
  /// - Parameter refusals: One or more.
  init(merging refusals: [Refusal]) {
    var messages: [String] = []
    for refusal in refusals where messages.contains(refusal.message) == false {
      messages.append(refusal.message)
    }
    self.init(
      refusals[0].kind,
      messages.joined(separator: " "),
      fields: refusals.reduce(into: [:]) { $0.merge($1.fields) { first, _ in first } }
    )
  }

  /// The refusal for any error that a form or a reducer throws.
  package init(_ error: any Error) {
    self =
      (error as? any RefusalConvertible)?.refusal
      ?? Refusal(
        .conflict, "This did not work. Nothing has changed; reload the page and try again.")
  }
}
