import Foundation
import ImmutableData
import Synchronization

/// Which casts of a type's values can succeed. It is found once for each type: a cast of a value to a
/// protocol that it lacks takes longer than most comparisons, and recorders inspect each change.
struct InspectedType: Sendable {
  /// The types that were inspected, each once. Bounded by the program.
  private static let known = Mutex<[ObjectIdentifier: Self]>([:])

  private let isAtom: Bool
  private let mayBeNumeric: Bool
  private let mayBeError: Bool
  private let mayBeRows: Bool
  private let mayBeList: Bool
  private let mayBeDerived: Bool
  private let mayBeComparedInPart: Bool

  private init(_ type: Any.Type) {
    // A cast also looks at the value in it.
    let isWrapper = type is any Wrapper.Type
    self.isAtom = Self.atoms.contains(ObjectIdentifier(type))
    self.mayBeNumeric = isWrapper || type is any Numeric.Type
    self.mayBeError = isWrapper || type is any Error.Type
    self.mayBeRows = isWrapper || type is any KeyedRows.Type
    self.mayBeList = isWrapper || type is any ComparedList.Type
    self.mayBeDerived = isWrapper || type is any Derivation.Type
    self.mayBeComparedInPart = isWrapper || type is any ComparedInPart.Type
  }

  private static func of(_ value: Any) -> Self {
    let type = Swift.type(of: value)
    return self.known.withLock { known in
      if let known = known[ObjectIdentifier(type)] { return known }
      let new = Self(type)
      known[ObjectIdentifier(type)] = new
      return new
    }
  }

  private static let atoms = Set(
    ([
      String.self, Bool.self, Int.self, Double.self, Date.self, URL.self, UUID.self, Data.self,
      TimeZone.self, Character.self, Duration.self,
    ] as [Any.Type]).map { ObjectIdentifier($0) })
}

extension InspectedType {
  /// Whether the parts of a value contain no useful information.
  static func isAtom(_ value: Any) -> Bool {
    let type = self.of(value)
    return type.isAtom || type.mayBeNumeric && value is any Numeric
      || type.mayBeError && value is any Error && Mirror(reflecting: value).children.isEmpty
  }

  /// A value as rows by key; `nil` if it is something else.
  static func rows(_ value: Any) -> (any KeyedRows)? {
    self.of(value).mayBeRows ? value as? any KeyedRows : nil
  }

  /// A value as a list; `nil` if it is something else.
  static func list(_ value: Any) -> (any ComparedList)? {
    self.of(value).mayBeList ? value as? any ComparedList : nil
  }

  /// Whether a value is derived from a table.
  static func isDerived(_ value: Any) -> Bool {
    self.of(value).mayBeDerived && value is any Derivation
  }

  /// The names of the parts that equality leaves out.
  static func uncomparedParts(of value: Any) -> Set<String> {
    guard self.of(value).mayBeComparedInPart, let value = value as? any ComparedInPart else {
      return []
    }
    return Swift.type(of: value).uncomparedParts
  }
}

private protocol Wrapper {}

extension Optional: Wrapper {}
extension AnyHashable: Wrapper {}
