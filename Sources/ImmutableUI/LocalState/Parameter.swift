/// How a property of a ``LocalState`` is written in the URL.
public struct Parameter<Local: LocalState>: Sendable {
  let name: String
  let property: any AnyKeyPath & Sendable
  /// Sets the property if the texts parse.
  let read: @Sendable ([String], inout Local) -> Void
  /// The texts; none if the property has its default value.
  let write: @Sendable (_ local: Local, _ defaults: Local) -> [String]
  /// The texts of the default value.
  let initial: [String]
  /// All possible texts, if there are only a few.
  private(set) var choices: [String] = []
  let reset: @Sendable (inout Local) -> Void
  /// Sets the property to the value that another local state has.
  let copy: @Sendable (_ other: Local, inout Local) -> Void
  /// The maximum size of the texts, in bytes. Links repeat them for each row, and windows keep
  /// them.
  let limit: Int
  /// Whether it affects only attributes of the page: see ``late()``.
  private(set) var isLate = false
  /// Whether people enter it: see ``personal()``.
  private(set) var isPersonal = false
  /// Replaces what people enter, if that is only a part of the property: see ``personal(_:)``.
  private(set) var redact: (@Sendable (inout Local, _ pseudonym: (String) -> String) -> Void)?
  /// The properties that reset it when they are set: see ``reset(by:)``. Bounded by the declaration.
  private(set) var resetters: [any AnyKeyPath & Sendable] = []
  /// Whether it currently has a meaning: see ``when(_:)``.
  private(set) var isUsed: @Sendable (Local) -> Bool = { _ in true }
  /// For a property that presents something.
  private(set) var presented: PresentedProperty<Local>?

  /// The default maximum size of a text, in bytes.
  public static var defaultLimit: Int { 256 }

  /// - Parameters:
  ///   - field: Names the parameter, reads it and writes it; a GET form can show it.
  ///   - property: What it is about.
  ///   - limit: The most that its text may have, in bytes; `nil` allows what the field
  ///     allows, and at least ``defaultLimit``.
  public init<Value: Equatable & Sendable>(
    _ field: Field<Value>,
    _ property: any WritableKeyPath<Local, Value> & Sendable,
    limit: Int? = nil
  ) {
    Self.checkIsPublic(field)
    self.init(
      field.name, property, limit: limit ?? Self.limit(of: field), { try? field.read($0) },
      field.write)
  }

  /// The same for a property whose default is `nil`.
  public init<Value: Equatable & Sendable>(
    _ field: Field<Value>,
    _ property: any WritableKeyPath<Local, Value?> & Sendable,
    limit: Int? = nil
  ) {
    Self.checkIsPublic(field)
    Self.checkIsNil(property, field.name)
    self.init(
      field.name,
      property,
      limit: limit ?? Self.limit(of: field),
      { texts in (try? field.read(texts)).map(Optional.some) },
      { $0.map(field.write) ?? [] }
    )
  }

  /// Four bytes for each character that the field allows.
  private static func limit<Value>(of field: Field<Value>) -> Int {
    max(self.defaultLimit, 4 * (field.control.limit ?? 0))
  }

  private static func checkIsPublic<Value>(_ field: Field<Value>) {
    precondition(
      field.control.isSecret == false,
      "the parameter \"\(field.name)\" of \(Local.self) is a password, which a URL would show"
    )
  }

  private static func checkIsNil<Value>(_ property: KeyPath<Local, Value?>, _ name: String) {
    precondition(
      Local()[keyPath: property] == nil,
      "the default of the parameter \"\(name)\" of \(Local.self) has to be nil: a URL cannot say nil"
    )
  }

  /// - Parameters:
  ///   - name: The parameter's name in the URL.
  ///   - property: Its value is written as its `description`. An empty text stands for the default.
  ///   - limit: The most that the text may have, in bytes.
  public init<Value>(
    _ name: String,
    _ property: any WritableKeyPath<Local, Value> & Sendable,
    limit: Int = Self.defaultLimit
  ) where Value: LosslessStringConvertible & Equatable & Sendable {
    self.init(name, property, limit: limit, .description)
  }

  /// The same for a value that is written as its `rawValue`.
  public init<Value>(
    _ name: String,
    _ property: any WritableKeyPath<Local, Value> & Sendable,
    limit: Int = Self.defaultLimit
  ) where Value: RawRepresentable & Equatable & Sendable, Value.RawValue == String {
    self.init(name, property, limit: limit, .rawValue)
  }

  /// The same for a value that is written as its `rawValue`, with `nil` as its default.
  public init<Value>(
    _ name: String,
    _ property: any WritableKeyPath<Local, Value?> & Sendable,
    limit: Int = Self.defaultLimit
  ) where Value: RawRepresentable & Equatable & Sendable, Value.RawValue == String {
    self.init(name, optional: property, limit: limit, .rawValue)
  }

  /// The same for a value with `nil` as its default.
  public init<Value>(
    _ name: String,
    _ property: any WritableKeyPath<Local, Value?> & Sendable,
    limit: Int = Self.defaultLimit
  ) where Value: LosslessStringConvertible & Equatable & Sendable {
    self.init(name, optional: property, limit: limit, .description)
  }

  /// - Parameters:
  ///   - name: The parameter's name in the URL.
  ///   - property: What it presents is written as its `description`, with the submission that it waits for.
  ///   - limit: The most that the text may have, in bytes, without the submission.
  public init<Value>(
    _ name: String,
    _ property: any WritableKeyPath<Local, Presented<Value>> & Sendable,
    limit: Int = Self.defaultLimit
  ) where Value: LosslessStringConvertible {
    self.init(name, presented: property, limit: limit, .description)
  }

  /// The same for something that is presented and written as its `rawValue`.
  public init<Value>(
    _ name: String,
    _ property: any WritableKeyPath<Local, Presented<Value>> & Sendable,
    limit: Int = Self.defaultLimit
  ) where Value: RawRepresentable, Value.RawValue == String {
    self.init(name, presented: property, limit: limit, .rawValue)
  }

  private init<Value: Equatable & Sendable>(
    _ name: String,
    _ property: any WritableKeyPath<Local, Value> & Sendable,
    limit: Int,
    _ coding: TextCoding<Value>
  ) {
    self.init(name, property, limit: limit, { coding.read($0[0]) }, { [coding.write($0)] })
    self.choices = coding.choices
  }

  private init<Value>(
    _ name: String,
    presented property: any WritableKeyPath<Local, Presented<Value>> & Sendable,
    limit: Int,
    _ coding: TextCoding<Value>
  ) {
    self.init(
      name, property, limit: limit + Presented<Value>.submissionBytes,
      .presented(coding, limit: limit))
    self.presented = PresentedProperty(property)
  }

  private init<Value: Equatable & Sendable>(
    _ name: String,
    optional property: any WritableKeyPath<Local, Value?> & Sendable,
    limit: Int,
    _ coding: TextCoding<Value>
  ) {
    Self.checkIsNil(property, name)
    self.init(
      name,
      property,
      limit: limit,
      { coding.read($0[0]).map(Optional.some) },
      { $0.map { [coding.write($0)] } ?? [] }
    )
    // An empty text stands for the default.
    self.choices = coding.choices.isEmpty ? [] : [""] + coding.choices
  }

  /// - Parameter read: `nil` for texts that do not parse; it is given one or more.
  private init<Value: Equatable & Sendable>(
    _ name: String,
    _ property: any WritableKeyPath<Local, Value> & Sendable,
    limit: Int,
    _ read: @escaping @Sendable ([String]) -> Value?,
    _ write: @escaping @Sendable (Value) -> [String]
  ) {
    self.name = name
    self.property = property
    self.limit = limit
    let initial = Local()[keyPath: property]
    self.initial = write(initial)
    self.reset = { $0[keyPath: property] = initial }
    self.copy = { other, local in local[keyPath: property] = other[keyPath: property] }
    self.read = { texts, local in
      if let value = read(texts) { local[keyPath: property] = value }
    }
    self.write = { local, defaults in
      let value = local[keyPath: property]
      return value == defaults[keyPath: property] ? [] : write(value).filter { $0.isEmpty == false }
    }
  }

  /// HTML cannot contain NUL, and a form that contains it is refused.
  func allows(_ texts: [String]) -> Bool {
    texts.reduce(0) { $0 + $1.utf8.count } <= self.limit
      && texts.allSatisfy { $0.utf8.contains(0) == false }
  }

  /// The value in the URL; none if the property has its default, or its text is too long or has a NUL.
  func items(_ local: Local, _ defaults: Local) -> [QueryItem] {
    let texts = self.write(local, defaults)
    return self.allows(texts) ? texts.map { QueryItem(name: self.name, value: $0) } : []
  }
}

extension Parameter {
  /// The same parameter, but declared to change only attributes of a page
  /// (``HTMLTemplates/Slot/attribute(_:_:from:_:)``), such as the position of a map's camera.
  ///
  /// The browser keeps it in its URL and does not report changes of it, so windows that differ only
  /// in it share a place. On the server it has its default value, in a window's local state and in
  /// the local state from which components are made.
  public func late() -> Self {
    var parameter = self
    parameter.isLate = true
    return parameter
  }

  /// The same parameter, but declared as text that people enter, such as a search. A recording
  /// contains a pseudonym instead (`Redactable`).
  public func personal() -> Self {
    var parameter = self
    parameter.isPersonal = true
    return parameter
  }

  /// The same parameter, but declared as something of which people enter a part.
  ///
  /// - Parameter redact: Replaces that part by a pseudonym.
  public func personal(
    _ redact: @escaping @Sendable (_ local: inout Local, _ pseudonym: (String) -> String) -> Void
  ) -> Self {
    var parameter = self.personal()
    parameter.redact = redact
    return parameter
  }

  /// The same parameter, but reset by each link and form that sets one of some other properties,
  /// unless that sets this one too. For example, another order or search begins with the first part
  /// of a list:
  ///
  /// ```swift
  /// Parameter("from", \.start).reset(by: \.search, \.order)
  /// ```
  ///
  /// - Parameter properties: The properties. They are parameters too.
  public func reset<each Value>(
    by properties: repeat any KeyPath<Local, each Value> & Sendable
  ) -> Self {
    var parameter = self
    repeat parameter.resetters.append(each properties)
    return parameter
  }

  /// The same parameter, but with a meaning only while a condition holds. For example, the part of
  /// a list has a meaning only while a list is shown. Otherwise the property has its default, and
  /// the URL does not contain it.
  ///
  /// - Parameter isUsed: The condition. It receives the local state, in which the earlier
  ///   parameters are already normalized.
  public func when(_ isUsed: @escaping @Sendable (Local) -> Bool) -> Self {
    var parameter = self
    parameter.isUsed = isUsed
    return parameter
  }
}
