import CPostgreSQL
import Foundation

/// A value of a statement, in PostgreSQL's binary format.
///
/// Source: PostgreSQL 15, `array_recv` and `pg_type.dat`.
struct Parameter {
  let type: Oid
  let bytes: Data

  private init(type: Oid, _ bytes: Data) {
    self.type = type
    self.bytes = bytes
  }

  static func text(_ value: String) -> Self { Self(type: 25, Data(value.utf8)) }
  static func bytes(_ value: Data) -> Self { Self(type: 17, value) }
  static func number(_ value: Int64) -> Self { Self(type: 20, .bigEndian(value)) }

  static func texts(_ values: [String?]) -> Self {
    Self(type: 1009, Self.array(of: 25, values.map { $0.map { Data($0.utf8) } }))
  }

  static func bytes(_ values: [Data]) -> Self { Self(type: 1001, Self.array(of: 17, values)) }

  static func numbers(_ values: [Int64?]) -> Self {
    Self(type: 1016, Self.array(of: 20, values.map { $0.map { .bigEndian($0) } }))
  }

  private static func array(of type: Int32, _ elements: [Data?]) -> Data {
    guard elements.isEmpty == false else { return [0, 0, type].reduce(into: Data(), append) }
    var data = Data()
    data.reserveCapacity(20 + elements.reduce(0) { $0 + 4 + ($1?.count ?? 0) })
    // Dimensions, whether there are nulls, the type, the length, and the lowest index.
    for word in [1, elements.contains(nil) ? 1 : 0, type, Int32(elements.count), 1] {
      append(&data, word)
    }
    for element in elements {
      append(&data, element.map { Int32($0.count) } ?? -1)
      if let element { data.append(element) }
    }
    return data
  }

  private static func append(_ data: inout Data, _ word: Int32) {
    data.append(.bigEndian(word))
  }
}

extension Data {
  fileprivate static func bigEndian(_ value: some FixedWidthInteger) -> Data {
    Swift.withUnsafeBytes(of: value.bigEndian) { Data($0) }
  }
}
