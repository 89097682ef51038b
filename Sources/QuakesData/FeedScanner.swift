import Foundation

/// Reads the features of a feed, and of each no more than a ``Quake`` needs.
struct FeedScanner {
  private var json: JSONScanner

  init(_ data: Data) {
    self.json = JSONScanner(data)
  }

  private enum Key: String, CodingKey {
    case features
  }

  /// - Throws: `DecodingError` for what is no JSON, is truncated, or has no features.
  mutating func response() throws -> RemoteResponse {
    do {
      return try self.features()
    } catch is JSONScanner.Malformed {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(codingPath: [], debugDescription: "This is no JSON, or incomplete.")
      )
    }
  }

  private mutating func features() throws -> RemoteResponse {
    var features: [RemoteResponse.Feature] = []
    var skipped = 0
    var isArray: Bool?
    let isObject = try self.json.object { json, key in
      guard json.key(key, is: "features") else { return try json.skip() }
      isArray = try json.array { json in
        if let feature = try Self.feature(&json) {
          features.append(feature)
        } else {
          skipped += 1
        }
      }
    }
    guard self.json.isAtEnd() else { throw JSONScanner.Malformed() }
    guard isObject else { throw Self.mismatch([], "This is no object.") }
    switch isArray {
    case true?: return RemoteResponse(features: features, skipped: skipped)
    case false?: throw Self.mismatch([Key.features], "The features are no array.")
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
  /// - Returns: `nil` for what is none; it has been passed over.
  private static func feature(_ json: inout JSONScanner) throws -> RemoteResponse.Feature? {
    var properties: RemoteResponse.Feature.Properties?
    var geometry: RemoteResponse.Feature.Geometry?
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
    return RemoteResponse.Feature(properties: properties, geometry: geometry, id: id)
  }

  private static func properties(
    _ json: inout JSONScanner
  ) throws -> RemoteResponse.Feature.Properties? {
    var magnitude = JSONScanner.Number.null
    var place: String?
    var time = JSONScanner.Number.other
    var updated = JSONScanner.Number.other
    _ = try json.object { json, key in
      if json.key(key, is: "mag") {
        magnitude = try json.number()
      } else if json.key(key, is: "place") {
        place = try json.string()
      } else if json.key(key, is: "time") {
        time = try json.number()
      } else if json.key(key, is: "updated") {
        updated = try json.number()
      } else {
        try json.skip()
      }
    }
    guard let place, case .number(let time) = time, case .number(let updated) = updated else {
      return nil
    }
    let mag: Double?
    switch magnitude {
    case .null: mag = nil
    case .number(let value): mag = value
    case .other: return nil
    }
    return RemoteResponse.Feature.Properties(
      mag: mag,
      place: place,
      time: Date(timeIntervalSince1970: time / 1_000),
      updated: Date(timeIntervalSince1970: updated / 1_000)
    )
  }

  /// The depth, which comes third, may be null.
  private static func geometry(
    _ json: inout JSONScanner
  ) throws -> RemoteResponse.Feature.Geometry? {
    var coordinates: [Double] = []
    _ = try json.object { json, key in
      guard json.key(key, is: "coordinates") else { return try json.skip() }
      coordinates = []
      var isComplete = true
      _ = try json.array { json in
        guard coordinates.count < 2, isComplete else { return try json.skip() }
        if case .number(let number) = try json.number() {
          coordinates.append(number)
        } else {
          isComplete = false
        }
      }
    }
    guard coordinates.count == 2 else { return nil }
    return RemoteResponse.Feature.Geometry(coordinates: coordinates)
  }
}
