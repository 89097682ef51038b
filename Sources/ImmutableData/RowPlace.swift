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
  fileprivate let name: String
  fileprivate let id: String

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

  /// It copies nothing, because sorting a list makes many; only other texts than ASCII are normalized.
  public struct Iterator: IteratorProtocol {
    private var position: [UInt8].Iterator?
    private var name: String.UTF8View.Iterator
    private var id: String.UTF8View.Iterator
    private var isInID = false

    fileprivate init(_ place: RowPlace) {
      self.position = place.position?.bytes.makeIterator()
      self.name = (place.position == nil ? place.name : "").normalized.utf8.makeIterator()
      self.id = place.id.normalized.utf8.makeIterator()
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
    self.utf8.allSatisfy { $0 < 0x80 } ? self : self.precomposedStringWithCanonicalMapping
  }
}
