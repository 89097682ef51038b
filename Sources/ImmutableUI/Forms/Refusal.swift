/// Why a submitted action did not happen, in words for whoever submitted it.
///
/// Nothing has changed then, and what the user typed is still there.
public struct Refusal: Error, Hashable, Sendable {
  public enum Kind: Hashable, Sendable {
    /// A field is missing or does not parse: 422.
    case invalid
    /// It makes sense, but not in the present state: 409.
    case conflict
    /// There is no such form, or its subject is not there: 404.
    case unknown
    /// It was accepted, and its effect has failed: 500.
    case failure
  }

  public let kind: Kind
  /// A sentence that says what to do.
  public let message: String
  /// Messages for single fields, by name.
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

/// An error of a reducer that can say what it means to whoever submitted the action.
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
  /// All of them: every field has its message.
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

  /// The refusal for whatever a form or a reducer threw.
  package init(_ error: any Error) {
    self =
      (error as? any RefusalConvertible)?.refusal
      ?? Refusal(
        .conflict, "This did not work. Nothing has changed; reload the page and try again.")
  }
}
