/// The fields of a submitted form.
public struct FormFields: Sendable {
  /// All fields, ours included, in the order in which they were sent.
  public let query: Query

  public init(_ query: Query) {
    self.query = query
  }

  /// The first value of a field, as it was sent; `nil` if the field was not.
  public subscript(name: String) -> String? {
    self.query[name]
  }

  /// Names this submission, and no other: a name for what it makes, until that has one of its own.
  ///
  /// - Throws: ``Refusal`` when the form came without one, or with one of more than 128 bytes. Any other text
  ///   names a submission: tokens are no secret, and who mints them is the client.
  public func token() throws -> String {
    guard let token = self[FormField.token], (1...128).contains(token.utf8.count) else {
      throw Refusal(.invalid, "This form is incomplete. Reload the page and try again.")
    }
    return token
  }

  /// A field that has to be there and have some text.
  ///
  /// - Parameters:
  ///   - name: The field's name.
  ///   - message: What its user is told otherwise, for example `Enter a name.`
  /// - Throws: ``Refusal`` for this field.
  public func text(_ name: String, _ message: String) throws -> String {
    guard let text = self[name], text.allSatisfy(\.isWhitespace) == false else {
      throw Refusal(field: name, message)
    }
    return text
  }

  /// A field whose text stands for a value.
  ///
  /// - Parameters:
  ///   - name: The field's name.
  ///   - message: What its user is told if it does not.
  ///   - parse: Makes the value, or returns `nil`.
  /// - Throws: ``Refusal`` for this field.
  public func value<Value>(
    _ name: String,
    _ message: String,
    _ parse: (String) -> Value?
  ) throws -> Value {
    guard let value = self[name].flatMap(parse) else {
      throw Refusal(field: name, message)
    }
    return value
  }
}
