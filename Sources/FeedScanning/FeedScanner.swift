package import Foundation

/// Reads the features of a feed in the format of the USGS, but only the place, time and strength of
/// each.
///
/// A feed is fetched again and again, and most of its features stay as they are. So it can be read by
/// its difference from one that was read before: a feature that has the same bytes is not decoded
/// again. The result is the same as of reading all of it.
package struct FeedScanner {
  private var json: JSONScanner
  private let last: FeedBytes?

  /// - Parameters:
  ///   - data: The feed.
  ///   - last: A feed that was read before, usually an older version of this one.
  package init(_ data: Data, after last: FeedBytes? = nil) {
    self.json = JSONScanner(data)
    self.last = last
  }

  /// A valid feature of a feed.
  package enum Feature: Hashable, Sendable {
    /// It has the same bytes as the valid feature of the last feed with this index.
    case known(Int)
    case new(ScannedFeature)
  }

  private enum Key: String, CodingKey {
    case features
  }

  /// Walks over all features. An invalid feature does not affect the others.
  ///
  /// - Parameter feature: Receives each valid feature, in the order of the feed.
  /// - Returns: The number of invalid features, and what the next feed can be read after.
  /// - Throws: `DecodingError` for data that is not JSON, is truncated, or has no features.
  /// - Complexity: O(n), n bytes. Those of known features are only compared.
  package mutating func features(
    _ feature: (Feature) -> Void
  ) throws -> (skipped: Int, bytes: FeedBytes) {
    do {
      return try self.walk(feature)
    } catch is JSONScanner.Malformed {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(codingPath: [], debugDescription: "This is not JSON, or incomplete.")
      )
    }
  }

  private mutating func walk(
    _ body: (Feature) -> Void
  ) throws -> (skipped: Int, bytes: FeedBytes) {
    var skipped = 0
    var features: [FeedBytes.Feature] = []
    var known = KnownFeatures(self.last)
    var isArray: Bool?
    let isObject = try self.json.object { json, key in
      guard json.key(key, is: "features") else { return try json.skip() }
      isArray = try json.array { json in
        let start = json.start()
        if let (index, key) = known.skip(&json) {
          features.append(FeedBytes.Feature(key: key, range: start..<json.position))
          body(.known(index))
        } else if let feature = try Self.feature(&json) {
          let key = FeedBytes.key(of: feature.id)
          known.didRead(key)
          features.append(FeedBytes.Feature(key: key, range: start..<json.position))
          body(.new(feature))
        } else {
          skipped += 1
        }
      }
    }
    guard self.json.isAtEnd() else { throw JSONScanner.Malformed() }
    guard isObject else { throw Self.mismatch([], "This is not an object.") }
    switch isArray {
    case true?: return (skipped, FeedBytes(bytes: self.json.bytes, features: features))
    case false?: throw Self.mismatch([Key.features], "The features are not an array.")
    case nil:
      throw DecodingError.keyNotFound(
        Key.features,
        DecodingError.Context(codingPath: [], debugDescription: "There are no features.")
      )
    }
  }

  private static func mismatch(_ path: [any CodingKey], _ reason: String) -> DecodingError {
    .typeMismatch(
      [Any].self,
      DecodingError.Context(codingPath: path, debugDescription: reason)
    )
  }
}

// One feature.
extension FeedScanner {
  /// - Returns: `nil` if it is not a valid feature; it has been skipped.
  private static func feature(_ json: inout JSONScanner) throws -> ScannedFeature? {
    var properties: ScannedFeature.Properties?
    var geometry: ScannedFeature.Geometry?
    var id: String?
    _ = try json.object { json, key in
      if json.key(key, is: "properties") {
        properties = try Self.properties(&json)
      } else if json.key(key, is: "geometry") {
        geometry = try Self.geometry(&json)
      } else if json.key(key, is: "id") {
        id = try json.string()
      } else {
        try json.skip()
      }
    }
    guard let properties, let geometry, let id else { return nil }
    return ScannedFeature(properties: properties, geometry: geometry, id: id)
  }

  private static func properties(
    _ json: inout JSONScanner
  ) throws -> ScannedFeature.Properties? {
    var magnitude = JSONScanner.Number.null
    var place: String?
    var time = JSONScanner.Number.other
    var updated = JSONScanner.Number.other
    var felt: Double?
    var ids: String?
    _ = try json.object { json, key in
      if json.key(key, is: "mag") {
        magnitude = try json.number()
      } else if json.key(key, is: "place") {
        place = try json.string()
      } else if json.key(key, is: "time") {
        time = try json.number()
      } else if json.key(key, is: "updated") {
        updated = try json.number()
      } else if json.key(key, is: "felt") {
        if case .number(let number) = try json.number() { felt = number } else { felt = nil }
      } else if json.key(key, is: "ids") {
        ids = try json.string()
      } else {
        try json.skip()
      }
    }
    guard let place, case .number(let time) = time, case .number(let updated) = updated else {
      return nil
    }
    let known: Double?
    switch magnitude {
    case .null: known = nil
    case .number(let value): known = value
    case .other: return nil
    }
    return ScannedFeature.Properties(
      mag: known,
      place: place,
      time: Date(timeIntervalSince1970: time / 1_000),
      updated: Date(timeIntervalSince1970: updated / 1_000),
      felt: felt,
      ids: ids
    )
  }

  /// The depth, which comes third, may be null.
  private static func geometry(_ json: inout JSONScanner) throws -> ScannedFeature.Geometry? {
    var coordinates: [Double] = []
    var depth: Double?
    _ = try json.object { json, key in
      guard json.key(key, is: "coordinates") else { return try json.skip() }
      coordinates = []
      depth = nil
      var (isComplete, hasThird) = (true, false)
      _ = try json.array { json in
        guard isComplete, hasThird == false else { return try json.skip() }
        guard coordinates.count < 2 else {
          hasThird = true
          if case .number(let number) = try json.number() { depth = number }
          return
        }
        if case .number(let number) = try json.number() {
          coordinates.append(number)
        } else {
          isComplete = false
        }
      }
    }
    guard coordinates.count == 2 else { return nil }
    return ScannedFeature.Geometry(coordinates: coordinates + (depth.map { [$0] } ?? []))
  }
}
