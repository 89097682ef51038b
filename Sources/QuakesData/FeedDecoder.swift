import FeedScanning
package import Foundation

/// Decodes a ``RemoteResponse`` feature by feature, so that a bad one costs none of the others.
///
/// As a `JSONDecoder` it fits wherever the guide has one. It is one that reads bytes, because
/// `JSONDecoder` gives up on all of a feed for one number like `1e999`, and takes several times as
/// long.
///
/// The superclass is `@unchecked Sendable`, which a subclass has to say again; this one adds nothing
/// that could change.
package final class FeedDecoder: JSONDecoder, @unchecked Sendable {
  package override init() {
    super.init()
    self.dateDecodingStrategy = .millisecondsSince1970
  }

  /// - Throws: `DecodingError` for what is no JSON, is truncated, or has no features.
  /// - Complexity: O(n), n bytes.
  package override func decode<T>(_ type: T.Type, from data: Data) throws -> T where T: Decodable {
    guard type == RemoteResponse.self else { return try super.decode(type, from: data) }
    var scanner = FeedScanner(data)
    var features: [RemoteResponse.Feature] = []
    let skipped = try scanner.features { features.append(RemoteResponse.Feature($0)) }
    let response = RemoteResponse(features: features, skipped: skipped)
    guard let response = response as? T else { return try super.decode(type, from: data) }
    return response
  }
}

extension RemoteResponse.Feature {
  fileprivate init(_ feature: ScannedFeature) {
    self.init(
      properties: Properties(
        mag: feature.magnitude,
        place: feature.place,
        time: feature.time,
        updated: feature.updated,
        felt: feature.felt
      ),
      geometry: Geometry(
        coordinates: [feature.longitude, feature.latitude] + [feature.depth].compactMap(\.self)
      ),
      id: feature.id
    )
  }
}
