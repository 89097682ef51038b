/// A position in source code. Together with an `id` it identifies a selector's memo. Labels are
/// only for people, and two selectors may have the same id and the same type.
struct CallSite: Sendable {
  private let file: StaticString
  private let line: UInt
  private let column: UInt

  init(file: StaticString, line: UInt, column: UInt) {
    self.file = file
    self.line = line
    self.column = column
  }
}

extension CallSite: Hashable {
  static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.line == rhs.line && lhs.column == rhs.column
      && (lhs.file.utf8Start == rhs.file.utf8Start || lhs.file.description == rhs.file.description)
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(self.line)
    hasher.combine(self.column)
  }
}

extension CallSite: CustomStringConvertible {
  var description: String {
    "\(self.file):\(self.line)"
  }
}

/// Any hashable value, compared by type and value.
package struct AnySendableHashable: Hashable, Sendable {
  package let value: any Hashable & Sendable

  package static func == (lhs: Self, rhs: Self) -> Bool {
    areEqual(lhs.value, rhs.value)
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(self.value)
  }
}

/// Whether two values of any types have the same type and are equal. It compares types by identity,
/// because a dynamic cast costs more than nearly all comparisons.
func areEqual<Left: Hashable, Right: Hashable>(_ lhs: Left, _ rhs: Right) -> Bool {
  Left.self == Right.self && lhs == unsafeBitCast(rhs, to: Left.self)
}
