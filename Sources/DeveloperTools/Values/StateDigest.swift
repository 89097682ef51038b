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
  /// - Complexity: The same as ``StateComparison/visit(_:_:at:skipsUncomparedParts:_:)``.
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
  /// - Complexity: The same as ``StateComparison/visit(_:_:at:skipsUncomparedParts:_:)``.
  mutating func follow(from old: Any, to new: Any) {
    self.follow(from: old, to: new, at: Path())
  }

  private mutating func follow(from old: Any, to new: Any, at path: Path) {
    StateComparison.visit(old, new, at: path, skipsUncomparedParts: true) { path, old, new in
      if let old, let new, self.followList(from: old, to: new, at: path) { return }
      if let old { self.remove(old, at: path) }
      if let new { self.add(new, at: path) }
    }
  }

  /// Updates the digest from a list to a longer or shorter one, so that an appended element costs no
  /// more than itself.
  ///
  /// - Returns: Whether both are lists with elements.
  private mutating func followList(from old: Any, to new: Any, at path: Path) -> Bool {
    guard let before = InspectedType.list(old), let after = InspectedType.list(new),
      before.count > 0, after.count > 0, let positions = after.changedPositions(since: before)
    else { return false }
    self.remove(Self.tag(of: Inspection(old).shape, at: path))
    self.add(Self.tag(of: Inspection(new).shape, at: path))
    for position in positions {
      self.follow(
        from: before.element(position), to: after.element(position),
        at: path.appending("\(position)"))
    }
    for position in (0..<before.count).dropFirst(after.count) {
      self.remove(before.element(position), at: path.appending("\(position)"))
    }
    for position in (0..<after.count).dropFirst(before.count) {
      self.add(after.element(position), at: path.appending("\(position)"))
    }
    return true
  }

  private mutating func add(_ value: Any, at path: Path) {
    Self.visit(value, at: path) { self.add($0) }
  }

  private mutating func remove(_ value: Any, at path: Path) {
    Self.visit(value, at: path) { self.remove($0) }
  }

  private mutating func add(_ tag: Tag) {
    self.high &+= tag.high
    self.low &+= tag.low
  }

  private mutating func remove(_ tag: Tag) {
    self.high &-= tag.high
    self.low &-= tag.low
  }

  private static func tag(of shape: String, at path: Path) -> Tag {
    var hasher = TagHasher()
    hasher.combine(path.description.normalized)
    hasher.combine(shape)
    return hasher.finalize()
  }

  /// Calls a closure with the hash of each part that has no parts.
  ///
  /// The path of a value with parts does not count, so that a table's digest is the sum of its
  /// rows' digests. Its shape counts, so that an empty list differs from no list.
  private static func visit(_ value: Any, at path: Path, _ body: (Tag) -> Void) {
    guard InspectedType.isDerived(value) == false else { return }
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
    if inspection.shape.isEmpty == false { body(Self.tag(of: inspection.shape, at: path)) }
    for part in inspection.comparedParts {
      Self.visit(part.value, at: path.appending(part.label), body)
    }
  }
}
