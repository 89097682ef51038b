public import Foundation

/// Any JSON value, for data that is read before its type is known.
///
/// Source: RFC 8259.
public enum JSONValue: Hashable, Sendable {
  case null
  case boolean(Bool)
  case integer(Int64)
  case number(Double)
  /// A number with more digits than an `Int64` or a `Double` keeps.
  case decimal(Decimal)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])

  /// The value of a key; `nil` if there is none, or if this is not an object. Setting it to `nil`
  /// removes the key. Setting it on something that is not an object replaces that with an object.
  public subscript(key: String) -> JSONValue? {
    get { if case .object(let values) = self { values[key] } else { nil } }
    set {
      var values = if case .object(let values) = self { values } else { [:] as [String: JSONValue] }
      values[key] = newValue
      self = .object(values)
    }
  }

  /// Renames a key of an object, if it exists. The case of an action is a key, too.
  public mutating func rename(_ old: String, to new: String) {
    guard let value = self[old] else { return }
    self[old] = nil
    self[new] = value
  }
}

extension JSONValue: Codable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .boolean(value)
    } else if let value = try? container.decode(Int64.self) {
      self = .integer(value)
    } else if let value = try? container.decode(Double.self) {
      let decimal = try? container.decode(Decimal.self)
      self = decimal.flatMap { Self($0, unlike: value) } ?? .number(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let values = try? container.decode([JSONValue].self) {
      self = .array(values)
    } else {
      self = .object(try container.decode([String: JSONValue].self))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .boolean(let value): try container.encode(value)
    case .integer(let value): try container.encode(value)
    case .number(let value): try container.encode(value)
    case .decimal(let value): try container.encode(value)
    case .string(let value): try container.encode(value)
    case .array(let values): try container.encode(values)
    case .object(let values): try container.encode(values)
    }
  }

  /// - Parameter number: The double that is closest to the decimal.
  /// - Returns: `nil` if the double has the same digits, or if it is out of the range of a decimal.
  private init?(_ decimal: Decimal, unlike number: Double) {
    guard Double(decimal.description) == number, Decimal(string: number.description) != decimal
    else { return nil }
    self = .decimal(decimal)
  }
}
