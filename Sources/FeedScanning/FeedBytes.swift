/// The bytes of a feed, and where its valid features are, so that the next feed can be read by its
/// difference from this one.
package struct FeedBytes: Sendable {
  let bytes: [UInt8]
  let features: [Feature]

  struct Feature: Sendable {
    let id: String
    /// From its first brace to its last one.
    let range: Range<Int>
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
  /// The indices of the features of the last feed; `nil` until there was another than the expected.
  private var indices: [String: Int]?

  init(_ last: FeedBytes?) {
    self.last = last ?? FeedBytes(bytes: [], features: [])
  }

  /// Skips the next feature of a feed if it is the expected one.
  ///
  /// - Returns: Its index in the last feed, and its id; `nil` if it is another one.
  mutating func skip(_ json: inout JSONScanner) -> (index: Int, id: String)? {
    let index = self.expected
    guard index < self.last.features.count else { return nil }
    let feature = self.last.features[index]
    guard json.skip(feature.range, of: self.last.bytes) else { return nil }
    self.expected += 1
    return (index, feature.id)
  }

  /// Expects what followed a feature in the last feed, or if that did not have it, the same as before.
  ///
  /// - Parameter id: The id of a feature that was not the expected one.
  mutating func didRead(_ id: String) {
    let indices =
      self.indices
      ?? Dictionary(
        zip(self.last.features.lazy.map(\.id), 0...), uniquingKeysWith: { first, _ in first })
    self.indices = indices
    if let index = indices[id] { self.expected = index + 1 }
  }
}
