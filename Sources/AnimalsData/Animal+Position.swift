import HashTreeCollections

extension Animal {
  /// Where somebody has moved an animal to, in the order of one's own. Beyond the guide.
  ///
  /// A position is a string of bytes, and there is always another between two of them. So a move
  /// changes one animal, however many there are. An animal that nobody has moved is where its name
  /// is.
  ///
  /// ```swift
  /// Animal.Position.between(.cat, .dog)  // after the cat and before the dog
  /// ```
  public struct Position: Hashable, Sendable {
    /// The last is not 0, as in a fraction: there is nothing between `1` and `10`.
    let bytes: [UInt8]

    /// The most bytes that a position may have: those of a name and an id, and room for some hundred
    /// moves between the same two animals, each of which takes a bit.
    static let byteLimit = 1_024

    private init?(_ bytes: [UInt8]) {
      guard (1...Self.byteLimit).contains(bytes.count), bytes.last != 0 else { return nil }
      self.bytes = bytes
    }
  }
}

// As it is written.
extension Animal.Position: LosslessStringConvertible {
  /// - Parameter description: Two hexadecimal digits in lower case for each byte.
  public init?(_ description: String) {
    let digits = Array(description.utf8)
    guard digits.count.isMultiple(of: 2), digits.count <= 2 * Self.byteLimit else { return nil }
    func value(_ digit: UInt8) -> UInt8? {
      switch digit {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
      default: nil
      }
    }
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: digits.count, by: 2) {
      guard let high = value(digits[index]), let low = value(digits[index + 1]) else { return nil }
      bytes.append(high << 4 | low)
    }
    self.init(bytes)
  }

  public var description: String {
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: self.bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] },
      as: UTF8.self
    )
  }
}

// Between two animals.
extension Animal.Position {
  /// The position between two animals of a list, or beside the one that there is.
  ///
  /// - Parameters:
  ///   - lower: The animal before it; `nil` if it is to be the first.
  ///   - upper: The animal behind it; `nil` if it is to be the last.
  /// - Returns: `nil` if there is neither of them, or no room.
  /// - Complexity: O(n), n bytes of their places.
  static func between(_ lower: Animal?, _ upper: Animal?) -> Self? {
    switch (lower, upper) {
    case (nil, nil): return nil
    // Somebody has moved one past the other meanwhile.
    case (let lower?, let upper?) where upper.place < lower.place: return .behind(lower)
    default:
      return Self(Self.middle(lower.map { Array($0.place) } ?? [], upper.map { Array($0.place) }))
    }
  }

  /// The position behind an animal, and before whatever else is behind it.
  static func behind(_ animal: Animal) -> Self? {
    Self(animal.place + [0x80])
  }

  /// The position before an animal, and behind whatever else is before it.
  static func before(_ animal: Animal) -> Self? {
    var bytes = Array(animal.place)
    guard let last = bytes.popLast(), last > 0 else { return nil }
    return Self(bytes + [last - 1, 0x80])
  }

  /// Few bytes that are between others, read as fractions. They differ from both before they end, so
  /// that it does not matter what follows them.
  private static func middle(_ lower: [UInt8], _ upper: [UInt8]?) -> [UInt8] {
    var (upper, middle) = (upper, [UInt8]())
    while true {
      let index = middle.count
      let low = index < lower.count ? Int(lower[index]) : 0
      let high = upper.map { index < $0.count ? Int($0[index]) : 0 } ?? 256
      guard high - low < 2 else { return middle + [UInt8((low + high) / 2)] }
      middle.append(UInt8(low))
      // With this byte it is below the other already.
      if low < high { upper = nil }
    }
  }
}

extension AnimalsState {
  /// The position between two animals.
  ///
  /// - Parameters:
  ///   - after: The animal before it; `nil` if it is to be the first.
  ///   - before: The animal behind it; `nil` if it is to be the last.
  /// - Returns: `nil` if neither is there, or there is no room. If one has gone, it is beside the other.
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
  /// Where it is in the order of one's own. Places are compared byte by byte; no two animals have the
  /// same.
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

    /// The bytes of its position, else of its name; and, behind a 0, those of its id, since two windows
    /// may move two animals to one position.
    public func makeIterator() -> Iterator {
      Iterator(self.animal)
    }

    /// Copies nothing: many are made to sort a list.
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
