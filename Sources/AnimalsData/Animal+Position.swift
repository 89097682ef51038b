import HashTreeCollections

extension Animal {
  /// The place that an animal was moved to, in the custom order. Beyond the guide.
  ///
  /// A position is a string of bytes, and there is always another position between two of them. So
  /// a move changes only one animal. An animal that was never moved is placed by its name.
  ///
  /// ```swift
  /// Animal.Position.between(.cat, .dog)  // after the cat and before the dog
  /// ```
  public struct Position: Hashable, Sendable {
    /// The last byte is not 0, as in a fraction, because there is nothing between `1` and `10`.
    let bytes: [UInt8]

    /// The maximum size of a position: that of a name and an id, and room for some hundred moves
    /// between the same two animals, each of which takes a bit.
    static let byteLimit = 1_024

    init?(_ bytes: [UInt8]) {
      guard (1...Self.byteLimit).contains(bytes.count), bytes.last != 0 else { return nil }
      self.bytes = bytes
    }
  }
}

// The text form.
extension Animal.Position: LosslessStringConvertible {
  private static let digits = Array("0123456789abcdef".utf8)

  /// - Parameter description: Two lower-case hexadecimal digits for each byte.
  public init?(_ description: String) {
    let count = description.utf8.count
    guard count.isMultiple(of: 2), count <= 2 * Self.byteLimit else { return nil }
    let values = description.utf8.compactMap { Self.digits.firstIndex(of: $0) }
    guard values.count == count else { return nil }
    self.init(stride(from: 0, to: count, by: 2).map { UInt8(values[$0] << 4 | values[$0 + 1]) })
  }

  public var description: String {
    let digits = self.bytes.flatMap { [Self.digits[Int($0 >> 4)], Self.digits[Int($0 & 15)]] }
    return String(decoding: digits, as: UTF8.self)
  }
}

// Positions between two animals.
extension Animal.Position {
  /// The position between two animals of a list, or next to one if there is only one.
  ///
  /// - Parameters:
  ///   - lower: The animal before it; `nil` to make it the first.
  ///   - upper: The animal after it; `nil` to make it the last.
  /// - Returns: `nil` if both are `nil`, or there is no room.
  /// - Complexity: O(n), n bytes of their places.
  static func between(_ lower: Animal?, _ upper: Animal?) -> Self? {
    switch (lower, upper) {
    case (nil, nil): return nil
    // A concurrent move has moved one past the other.
    case (let lower?, let upper?) where upper.place < lower.place: return .behind(lower)
    default:
      return Self(Self.middle(lower.map { Array($0.place) } ?? [], upper.map { Array($0.place) }))
    }
  }

  /// A position immediately after an animal.
  static func behind(_ animal: Animal) -> Self? {
    Self(animal.place + [0x80])
  }

  /// A position immediately before an animal.
  static func before(_ animal: Animal) -> Self? {
    var bytes = Array(animal.place)
    guard let last = bytes.popLast(), last > 0 else { return nil }
    return Self(bytes + [last - 1, 0x80])
  }

  /// A short string of bytes between two others, read as fractions. It differs from both before its
  /// end, so bytes that follow do not matter.
  private static func middle(_ lower: [UInt8], _ upper: [UInt8]?) -> [UInt8] {
    var (upper, middle) = (upper, [UInt8]())
    while true {
      let index = middle.count
      let low = index < lower.count ? Int(lower[index]) : 0
      let high = upper.map { index < $0.count ? Int($0[index]) : 0 } ?? 256
      guard high - low < 2 else { return middle + [UInt8((low + high) / 2)] }
      middle.append(UInt8(low))
      // With this byte, it is already below the other.
      if low < high { upper = nil }
    }
  }
}

extension AnimalsState {
  /// The position between two animals.
  ///
  /// - Parameters:
  ///   - after: The animal before it; `nil` to make it the first.
  ///   - before: The animal after it; `nil` to make it the last.
  /// - Returns: `nil` if neither exists, or there is no room. If one was deleted, it is next to the
  ///   other.
  /// - Complexity: O(log n), n animals.
  func position(after: Animal.ID?, before: Animal.ID?) -> Animal.Position? {
    let lower = after.flatMap { self.animals.data[$0] }
    let upper = before.flatMap { self.animals.data[$0] }
    switch (lower, upper) {
    case (let lower?, nil) where before != nil: return .behind(lower)
    case (nil, let upper?) where after != nil: return .before(upper)
    default: return .between(lower, upper)
    }
  }
}

extension Animal {
  /// Its place in the custom order. Places are compared byte by byte, and no two animals have the
  /// same place.
  public var place: Place { Place(animal: self) }

  public struct Place: Comparable, Hashable, Sendable, Sequence {
    fileprivate let animal: Animal

    public static func < (lhs: Self, rhs: Self) -> Bool {
      lhs.lexicographicallyPrecedes(rhs)
    }

    public static func == (lhs: Self, rhs: Self) -> Bool {
      lhs.elementsEqual(rhs)
    }

    public func hash(into hasher: inout Hasher) {
      for byte in self { hasher.combine(byte) }
    }

    /// The bytes of its position, otherwise of its name, followed by a 0 and the bytes of its id,
    /// since two windows may move two animals to the same position.
    public func makeIterator() -> Iterator {
      Iterator(self.animal)
    }

    /// It copies nothing, because sorting a list makes many.
    public struct Iterator: IteratorProtocol {
      private var position: [UInt8].Iterator?
      private var name: String.UTF8View.Iterator
      private var id: String.UTF8View.Iterator
      private var isInID = false

      fileprivate init(_ animal: Animal) {
        self.position = animal.position?.bytes.makeIterator()
        self.name = animal.name.utf8.makeIterator()
        self.id = animal.id.utf8.makeIterator()
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
}
