import Foundation

/// What a server said to tell one state of a resource from another.
///
/// Source: RFC 9110, section 8.8.
public struct Validators: Hashable, Sendable {
  /// The most bytes of either that are taken over.
  private static let byteLimit = 1_024

  /// The `ETag`, with its quotes.
  public let entityTag: String?
  /// The `Last-Modified`, as it was sent.
  public let lastModified: String?

  /// - Returns: `nil` when there is neither.
  public init?(entityTag: String?, lastModified: String?) {
    guard entityTag != nil || lastModified != nil else { return nil }
    self.entityTag = entityTag
    self.lastModified = lastModified
  }

  /// The validators of a response.
  ///
  /// - Returns: `nil` when it has none that can be sent back.
  init?(_ response: HTTPURLResponse) {
    self.init(
      entityTag: Self.value("ETag", of: response),
      lastModified: Self.value("Last-Modified", of: response)
    )
  }

  private static func value(_ field: String, of response: HTTPURLResponse) -> String? {
    guard let value = response.value(forHTTPHeaderField: field), value.isEmpty == false,
      value.utf8.count <= Self.byteLimit,
      value.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
    else { return nil }
    return value
  }
}

/// What came of asking for a value only if it is another than before.
public enum ConditionalResponse<Value> {
  /// It is as it was: there is no news.
  case notModified
  /// It is this; the validators, if there are any, are for asking again.
  case value(Value, Validators?)
}

extension ConditionalResponse: Sendable where Value: Sendable {}
extension ConditionalResponse: Equatable where Value: Equatable {}

extension URLRequest {
  /// Has this request, which reads, answered in full only if there is something new.
  ///
  /// Source: RFC 9110, sections 13.1.2 and 13.1.3.
  mutating func setValidators(_ validators: Validators?) {
    guard let validators else { return }
    self.setValue(validators.entityTag, forHTTPHeaderField: "If-None-Match")
    self.setValue(validators.lastModified, forHTTPHeaderField: "If-Modified-Since")
  }
}
