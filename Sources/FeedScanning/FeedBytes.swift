/// The bytes of a feed, and where its valid features are, so that the next feed can be read by its
/// difference from this one.
package struct FeedBytes: Sendable {
  let bytes: [UInt8]
  let features: [Feature]

  struct Feature: Sendable {
    let key: Int
    /// From its first brace to its last one.
    let range: Range<Int>
  }

  /// Nearly the same as an id: another id has another key, unless by a rare chance. Ids are not
  /// validated yet, and some texts take long to compare.
  static func key(of id: String) -> Int {
    var (id, hasher) = (id, Hasher())
    id.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    return hasher.finalize()
  }
}

/// Finds the features of a feed that the last one had with the same bytes.
///
/// An object ends with its own brace, so what follows it does not matter: the same bytes are the same
/// feature in any feed. Most features follow the same ones as in the last feed, so only one of them is
/// compared.
struct KnownFeatures {
  private let last: FeedBytes
  /// The index of the feature of the last feed that is expected next.
  private var expected = 0
  /// The indices of the last feed's features by key; `nil` until another than the expected one came.
  private var indices: [Int: Int]?

  init(_ last: FeedBytes?) {
    self.last = last ?? FeedBytes(bytes: [], features: [])
  }

  /// Skips the next feature of a feed if it is the expected one.
  ///
  /// - Returns: Its index in the last feed, and its key; `nil` if it is another one.
  mutating func skip(_ json: inout JSONScanner) -> (index: Int, key: Int)? {
    let index = self.expected
    guard index < self.last.features.count else { return nil }
    let feature = self.last.features[index]
    guard json.skip(feature.range, of: self.last.bytes) else { return nil }
    self.expected += 1
    return (index, feature.key)
  }

  /// Expects what followed a feature in the last feed, or if that did not have it, the same as before.
  ///
  /// - Parameter key: The key of a feature that was not the expected one.
  mutating func didRead(_ key: Int) {
    guard self.last.features.isEmpty == false else { return }
    let indices =
      self.indices
      ?? Dictionary(
        zip(self.last.features.lazy.map(\.key), 0...), uniquingKeysWith: { first, _ in first })
    self.indices = indices
    if let index = indices[key] { self.expected = index + 1 }
  }
}
