import Foundation
public import Pictures

/// The fields of a submitted form.
public struct FormFields: Sendable {
  /// All fields, including the library's own, in the order in which they were sent.
  public let query: Query
  /// The pictures that were sent, by the names of their fields, or the reason why one was not kept.
  /// A picture cannot be sent as text.
  public let pictures: [String: Result<Picture, Refusal>]

  public init(_ query: Query, pictures: [String: Result<Picture, Refusal>] = [:]) {
    self.query = query
    self.pictures = pictures
  }

  /// The first value of a field, as it was sent; `nil` if the field was not sent.
  public subscript(name: String) -> String? {
    self.query[name]
  }

  /// The value of a field; `nil` if it was not sent or cannot be parsed.
  public subscript<Value>(field: Field<Value>) -> Value? {
    try? field.read(self.texts(of: field))
  }

  /// Whether the fields belong to a form.
  public func isOf<Action>(_ form: Form<Action>) -> Bool {
    self[FormField.form] == form.name
  }

  /// The picture that was sent for a field.
  ///
  /// - Throws: ``Refusal`` for a picture that was not kept.
  func texts<Value>(of field: Field<Value>) throws -> [String] {
    guard field.control.kind == .picture else { return self.values(of: field.name) }
    return try self.pictures[field.name].map { [try $0.get().description] } ?? []
  }

  /// The same fields, with those that the server fills in.
  ///
  /// - Throws: ``Refusal`` if a client has filled in who it is.
  package func posted(in environment: WindowEnvironment) throws -> FormFields {
    guard self[FormField.visitor] == nil else {
      throw Refusal(.invalid, FieldControl.incomplete)
    }
    let zone = QueryItem(name: FormField.timeZone, value: environment.timeZone.identifier)
    let visitor = environment.visitor.map {
      QueryItem(name: FormField.visitor, value: $0.rawValue)
    }
    return FormFields(
      self.query.setting([zone, visitor].compactMap(\.self)), pictures: self.pictures)
  }

  package func values(of name: String) -> [String] {
    self.query.values(of: name)
  }

  /// The same fields, except for some.
  package func without(_ names: Set<String>) -> FormFields {
    names.isEmpty
      ? self
      : FormFields(
        Query(self.query.items.filter { names.contains($0.name) == false }),
        pictures: self.pictures)
  }
}
