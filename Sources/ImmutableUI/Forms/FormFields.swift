/// The fields of a submitted form.
public struct FormFields: Sendable {
  /// All fields, including the library's own, in the order in which they were sent.
  public let query: Query

  public init(_ query: Query) {
    self.query = query
  }

  /// The first value of a field, as it was sent; `nil` if the field was not sent.
  public subscript(name: String) -> String? {
    self.query[name]
  }

  /// The value of a field; `nil` if it was not sent or cannot be parsed.
  public subscript<Value>(field: Field<Value>) -> Value? {
    try? field.read(self.values(of: field.name))
  }

  /// Whether the fields belong to a form.
  public func isOf<Action>(_ form: Form<Action>) -> Bool {
    self[FormField.form] == form.name
  }

  package func values(of name: String) -> [String] {
    self.query.values(of: name)
  }
}
