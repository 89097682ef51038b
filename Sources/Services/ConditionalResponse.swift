import Foundation

/// What a server sent to identify a version of a resource.
///
/// Source: RFC 9110, section 8.8.
public struct Validators: Hashable, Sendable {
  /// The maximum number of bytes of either validator. Longer ones are ignored.
  private static let byteLimit = 1_024

  /// The `ETag`, including its quotes.
  public let entityTag: String?
  /// The `Last-Modified`, as it was sent.
  public let lastModified: String?

  /// - Returns: `nil` if there is neither.
  public init?(entityTag: String?, lastModified: String?) {
    guard entityTag != nil || lastModified != nil else { return nil }
    self.entityTag = entityTag
    self.lastModified = lastModified
  }

  /// The validators of a response.
  ///
  /// - Returns: `nil` if it has none that can be sent back.
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

/// The response to a request for a value that may not have changed.
public enum ConditionalResponse<Value> {
  /// The value has not changed.
  case notModified
  /// The value, and the validators for the next request, if any.
  case value(Value, Validators?)
}

extension ConditionalResponse: Sendable where Value: Sendable {}
extension ConditionalResponse: Equatable where Value: Equatable {}

extension URLRequest {
  /// Makes this reading request conditional: it is answered in full only if the value has changed.
  ///
  /// Source: RFC 9110, sections 13.1.2 and 13.1.3.
  mutating func setValidators(_ validators: Validators?) {
    guard let validators else { return }
    self.setValue(validators.entityTag, forHTTPHeaderField: "If-None-Match")
    self.setValue(validators.lastModified, forHTTPHeaderField: "If-Modified-Since")
  }
}
