import Foundation

/// A row that users can move, in an order that they arrange. Sort by ``place``.
///
/// ```swift
/// extension Note: ArrangedRow {
///   var placeWithoutPosition: String { self.title }
/// }
///
/// let notes = SortedRows<Note>(by: RowOrder(\.place)) { _ in true }
/// let position = table.rows.position(after: "milk", before: "bread")
/// ```
public protocol ArrangedRow: Identifiable where ID == String {
  /// `nil` until it is moved.
  var position: RowPosition? { get }
  /// The text by which it is placed until it is moved, such as its name.
  var placeWithoutPosition: String { get }
}

extension ArrangedRow {
  /// Its place among all rows.
  public var place: RowPlace {
    RowPlace(position: self.position, name: self.placeWithoutPosition, id: self.id)
  }
}

/// The place of a row in an order that users arrange. Places are compared byte by byte, and no two
/// rows have the same place. Equal texts have equal bytes here, because rows with equal texts are
/// equal.
public struct RowPlace: Comparable, Hashable, Sendable, Sequence {
  fileprivate let position: RowPosition?
  /// Normalized, like the id, because that takes longer than many comparisons.
  fileprivate let name: String
  fileprivate let id: String

  fileprivate init(position: RowPosition?, name: String, id: String) {
    self.position = position
    self.name = position == nil ? name.normalized : ""
    self.id = id.normalized
  }

  public static func < (lhs: Self, rhs: Self) -> Bool {
    lhs.lexicographicallyPrecedes(rhs)
  }

  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.elementsEqual(rhs)
  }

  public func hash(into hasher: inout Hasher) {
    for byte in self { hasher.combine(byte) }
  }

  /// The bytes of the position, otherwise of the name, followed by a 0 and the bytes of the id,
  /// since two windows may move two rows to the same position.
  public func makeIterator() -> Iterator {
    Iterator(self)
  }

  /// It copies nothing, because sorting a list makes many.
  public struct Iterator: IteratorProtocol {
    private var position: [UInt8].Iterator?
    private var name: String.UTF8View.Iterator
    private var id: String.UTF8View.Iterator
    private var isInID = false

    fileprivate init(_ place: RowPlace) {
      self.position = place.position?.bytes.makeIterator()
      self.name = place.name.utf8.makeIterator()
      self.id = place.id.utf8.makeIterator()
    }

    public mutating func next() -> UInt8? {
      if self.isInID { return self.id.next() }
      if let byte = self.position == nil ? self.name.next() : self.position?.next() {
        return byte
      }
      self.isInID = true
      return 0
    }
  }
}

extension String {
  /// The text in Normalization Form C, which equal texts have in common.
  package var normalized: String {
    self.utf8.allSatisfy(Self.isOfNormalText) ? self : self.precomposedStringWithCanonicalMapping
  }

  /// Whether a byte of UTF-8 belongs to characters that are always in that form, next to each other,
  /// too: those below U+0300, most Cyrillic letters, and most Chinese characters.
  ///
  /// Source: Unicode Standard Annex #15, section 9, Detecting Normalization Forms.
  private static func isOfNormalText(_ byte: UInt8) -> Bool {
    byte < 0xCC || (0xD0...0xD1).contains(byte) || (0xE4...0xE9).contains(byte)
  }
}
