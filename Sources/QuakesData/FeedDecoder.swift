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
  let last: RemoteResponse?

  /// - Parameter last: A response that was decoded before. Of a feature that has the same bytes, what
  ///   was decoded then is used. The result is the same without it.
  package init(after last: RemoteResponse? = nil) {
    self.last = last
    super.init()
    self.dateDecodingStrategy = .millisecondsSince1970
  }

  /// - Throws: `DecodingError` for data that is not JSON, is truncated, or has no features.
  /// - Complexity: O(n), n bytes. Those of features that have not changed are only compared.
  package override func decode<T>(_ type: T.Type, from data: Data) throws -> T where T: Decodable {
    guard type == RemoteResponse.self else { return try super.decode(type, from: data) }
    var scanner = FeedScanner(data, after: self.last?.bytes)
    let known = self.last?.features ?? []
    var features: [RemoteResponse.Feature] = []
    features.reserveCapacity(known.count)
    let (skipped, bytes) = try scanner.features { feature in
      switch feature {
      case .known(let index): features.append(known[index])
      case .new(let feature): features.append(RemoteResponse.Feature(feature))
      }
    }
    let response = RemoteResponse(features: features, skipped: skipped, bytes: bytes)
    guard let response = response as? T else { return try super.decode(type, from: data) }
    return response
  }
}
