import FeedScanning
package import Foundation

/// Decodes a ``RemoteResponse`` feature by feature, so that an invalid feature does not affect the
/// others.
///
/// It is a `JSONDecoder`, so it can be used wherever the guide has one. It parses the bytes itself,
/// because `JSONDecoder` rejects a whole feed for one number like `1e999`, and takes several times
/// as long.
///
/// The superclass is `@unchecked Sendable`, which a subclass must restate. This one adds no mutable
/// state.
package final class FeedDecoder: JSONDecoder, @unchecked Sendable {
  package override init() {
    super.init()
    self.dateDecodingStrategy = .millisecondsSince1970
  }

  /// - Throws: `DecodingError` for data that is not JSON, is truncated, or has no features.
  /// - Complexity: O(n), n bytes.
  package override func decode<T>(_ type: T.Type, from data: Data) throws -> T where T: Decodable {
    guard type == RemoteResponse.self else { return try super.decode(type, from: data) }
    var scanner = FeedScanner(data)
    var features: [ScannedFeature] = []
    let skipped = try scanner.features { features.append($0) }
    let response = RemoteResponse(features: features, skipped: skipped)
    guard let response = response as? T else { return try super.decode(type, from: data) }
    return response
  }
}
