import ImmutableData
import ImmutableUI

/// Identifies a state: equal values and rows have equal digests, in every process.
///
/// It is the sum of a hash for each part of the state, so it can be updated incrementally. Rows that
/// are equal count as the same row, so equal values have equal hashes, whatever their bytes: texts in
/// different normalization forms, negative zero, and rows of types that are ``ComparedInPart``. An
/// attacker could construct a collision, so it only detects accidental differences.
///
/// A change of the hashes needs a new ``RecordingFormat/number``, and servers that share a log need a
/// new number of their reducer.
public struct StateDigest: Hashable, Sendable {
  private var high: UInt64 = 0
  private var low: UInt64 = 0

  /// - Complexity: O(n), n parts.
  public init(of state: Any) {
    self.add(state, at: Path())
  }

  /// 22 characters of base64url.
  public var text: String {
    Base64URL.encode([self.high, self.low])
  }

  /// The text of a state's digest, computed from the digest of another state.
  ///
  /// - Parameters:
  ///   - new: The state.
  ///   - text: ``text`` of the other state's digest.
  ///   - old: The other state.
  /// - Complexity: The same as comparing both: O(d log n + p), d rows that differ in tables of n
  ///   rows, and p other parts.
  public static func text(of new: Any, from text: String, of old: Any) -> String {
    guard let (high, low) = Base64URL.decode(text) else { return Self(of: new).text }
    var digest = Self(high: high, low: low)
    digest.follow(from: old, to: new)
    return digest.text
  }

  private init(high: UInt64, low: UInt64) {
    (self.high, self.low) = (high, low)
  }

  /// Updates the digest from a state to the next one.
  ///
  /// - Complexity: The same as ``StateComparison/visit(_:_:at:_:)``.
  mutating func follow(from old: Any, to new: Any) {
    StateComparison.visit(old, new, skipsUncomparedParts: true) { path, old, new in
      if let old { self.remove(old, at: path) }
      if let new { self.add(new, at: path) }
    }
  }

  private mutating func add(_ value: Any, at path: Path) {
    Self.visit(value, at: path) { tag in
      self.high &+= tag.high
      self.low &+= tag.low
    }
  }

  private mutating func remove(_ value: Any, at path: Path) {
    Self.visit(value, at: path) { tag in
      self.high &-= tag.high
      self.low &-= tag.low
    }
  }

  /// Calls a closure with the hash of each part that has no parts.
  ///
  /// The path of a value with parts does not count, so that a table's digest is the sum of its
  /// rows' digests. Its shape counts, so that an empty list differs from no list.
  private static func visit(_ value: Any, at path: Path, _ body: (Tag) -> Void) {
    guard value is any Derivation == false else { return }
    let inspection = Inspection(value)
    guard inspection.count > 0 else {
      if inspection.isRows == false {
        var hasher = TagHasher()
        hasher.combine(path.description.normalized)
        hasher.combine(inspection.comparableText)
        // Otherwise it would have the hash of no value.
        if inspection.text == "nil", inspection.shape.isEmpty == false, inspection.shape != "none" {
          hasher.combine(inspection.shape)
        }
        body(hasher.finalize())
      }
      return
    }
    if inspection.shape.isEmpty == false {
      var hasher = TagHasher()
      hasher.combine(path.description.normalized)
      hasher.combine(inspection.shape)
      body(hasher.finalize())
    }
    for part in inspection.comparedParts {
      Self.visit(part.value, at: path.appending(part.label), body)
    }
  }
}
