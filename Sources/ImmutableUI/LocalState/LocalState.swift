/// What one window has for itself: sort order, search text, selection. It lives in the window's URL.
///
/// ```swift
/// struct Local: LocalState {
///   var search = ""
///   var order = Order.forward
///
///   static let parameters: [Parameter<Self>] = [
///     Parameter("search", \.search),
///     Parameter("order", \.order),
///   ]
/// }
/// ```
///
/// A parameter with its default value is not in the URL. One that does not parse, one that is longer than
/// its limit, and one that nobody knows, is as if it were not there: a URL never fails a page.
public protocol LocalState: Hashable, Sendable {
  /// The local state of a URL without parameters.
  init()

  /// How each property is written in the URL, in order.
  static var parameters: [Parameter<Self>] { get }

  /// Takes from a window's surroundings what its URL does not say, for example which day is today.
  /// What it sets is no parameter: a window asks again when it loads, navigates or comes back.
  mutating func resolve(in environment: WindowEnvironment)
}

extension LocalState {
  public mutating func resolve(in environment: WindowEnvironment) {}

  /// - Parameter query: Of the window's URL.
  public init(_ query: Query) {
    self.init()
    for parameter in Self.parameters {
      if let text = query[parameter.name], text.utf8.count <= parameter.limit {
        parameter.read(text, &self)
      }
    }
  }

  /// The query that stands for this local state, and for no other.
  public var query: Query {
    let defaults = Self()
    return Query(
      Self.parameters.compactMap { parameter in
        parameter.write(self, defaults).flatMap { text in
          text.utf8.count <= parameter.limit ? QueryItem(name: parameter.name, value: text) : nil
        }
      }
    )
  }
}

/// The local state of a page that has none.
public struct NoLocalState: LocalState {
  public init() {}

  public static let parameters: [Parameter<Self>] = []
}

/// How a property of a ``LocalState`` is written in the URL.
public struct Parameter<Local: LocalState>: Sendable {
  let name: String
  /// Sets the property if the text parses.
  let read: @Sendable (String, inout Local) -> Void
  /// The text, unless the property has its default value.
  let write: @Sendable (_ local: Local, _ defaults: Local) -> String?
  /// The most that the text may have, in bytes. Links repeat it, a row each, and windows keep it.
  let limit: Int
  /// Whether only pages have it: see ``late()``.
  private(set) var isLate = false

  /// What a text may have that is not said otherwise, in bytes.
  public static var defaultLimit: Int { 256 }

  /// - Parameters:
  ///   - name: The parameter's name in the URL.
  ///   - property: Its value is written as its `description`. An empty text stands for the default.
  ///   - limit: The most that the text may have, in bytes.
  public init<Value>(
    _ name: String,
    _ property: any WritableKeyPath<Local, Value> & Sendable,
    limit: Int = Self.defaultLimit
  ) where Value: LosslessStringConvertible & Equatable & Sendable {
    self.name = name
    self.limit = limit
    self.read = { text, local in
      if let value = Value(text) { local[keyPath: property] = value }
    }
    self.write = { local, defaults in
      let value = local[keyPath: property]
      return value == defaults[keyPath: property] ? nil : value.description.nonempty
    }
  }

  /// - Parameters:
  ///   - name: The parameter's name in the URL.
  ///   - property: Its value is written as its `rawValue`.
  ///   - limit: The most that the text may have, in bytes.
  public init<Value>(
    _ name: String,
    _ property: any WritableKeyPath<Local, Value> & Sendable,
    limit: Int = Self.defaultLimit
  ) where Value: RawRepresentable & Equatable & Sendable, Value.RawValue == String {
    self.name = name
    self.limit = limit
    self.read = { text, local in
      if let value = Value(rawValue: text) { local[keyPath: property] = value }
    }
    self.write = { local, defaults in
      let value = local[keyPath: property]
      return value == defaults[keyPath: property] ? nil : value.rawValue.nonempty
    }
  }

  /// - Parameters:
  ///   - name: The parameter's name in the URL.
  ///   - property: Its value is written as its `rawValue`; `nil` is its default.
  ///   - limit: The most that the text may have, in bytes.
  public init<Value>(
    _ name: String,
    _ property: any WritableKeyPath<Local, Value?> & Sendable,
    limit: Int = Self.defaultLimit
  ) where Value: RawRepresentable & Equatable & Sendable, Value.RawValue == String {
    self.name = name
    self.limit = limit
    self.read = { text, local in
      if let value = Value(rawValue: text) { local[keyPath: property] = value }
    }
    self.write = { local, _ in local[keyPath: property]?.rawValue.nonempty }
  }

  /// - Parameters:
  ///   - name: The parameter's name in the URL.
  ///   - property: Its value is written as its `description`; `nil` is its default.
  ///   - limit: The most that the text may have, in bytes.
  public init<Value>(
    _ name: String,
    _ property: any WritableKeyPath<Local, Value?> & Sendable,
    limit: Int = Self.defaultLimit
  ) where Value: LosslessStringConvertible & Equatable & Sendable {
    self.name = name
    self.limit = limit
    self.read = { text, local in
      if let value = Value(text) { local[keyPath: property] = value }
    }
    self.write = { local, _ in local[keyPath: property]?.description.nonempty }
  }
}

extension Parameter {
  /// The parameter as one that changes nothing but attributes of a page
  /// (``HTMLTemplates/Slot/attribute(_:_:from:_:)``), for example where a map's camera is.
  ///
  /// A browser keeps it in its URL and tells nobody, so that windows that differ in it share a place;
  /// in a window's local state it has its default.
  public func late() -> Self {
    var parameter = self
    parameter.isLate = true
    return parameter
  }
}

extension String {
  fileprivate var nonempty: String? {
    self.isEmpty ? nil : self
  }
}
