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
    self.isKnownToBeNormal ? self : self.precomposedStringWithCanonicalMapping
  }

  /// Whether it can be seen quickly that the text is in that form, because no two of its characters can
  /// be composed or reordered.
  ///
  /// Source: Unicode Standard Annex #15, section 9, Detecting Normalization Forms.
  private var isKnownToBeNormal: Bool {
    var last = Unicode.CanonicalCombiningClass.notReordered
    for character in self.unicodeScalars {
      guard character.value >= 0x300 else {
        last = .notReordered
        continue
      }
      guard character.isAlwaysComposed else { return false }
      let next = character.properties.canonicalCombiningClass
      guard next == .notReordered || last <= next else { return false }
      last = next
    }
    return true
  }
}

extension Unicode.Scalar {
  /// Whether it is in Normalization Form C and composes with no character before it: most letters of
  /// living languages, and emoji.
  fileprivate var isAlwaysComposed: Bool {
    switch self.value {
    // Greek that has other forms; marks of Arabic, Devanagari and Japanese that compose.
    case 0x374, 0x37E, 0x387, 0x653...0x655, 0x93C, 0x958...0x95F, 0x3099...0x309A: false
    case ..<0x300, 0x370...0x6FF, 0x900...0x97F, 0xE00...0xEFF, 0x10A0...0x10FF, 0x1E00...0x1EFF,
      0x200B...0x206F, 0x3000...0x312F, 0x3400...0x9FFF, 0xAC00...0xD7A3, 0xFE00...0xFE0F,
      0x1F000...0x1FAFF:
      true
    default: false
    }
  }
}
