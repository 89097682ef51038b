package import HTTPTypes

/// The secret that clients need for access, as `Authorization: Bearer TOKEN`.
///
/// Source: RFC 6750, section 2.1; RFC 9110, section 11.1, for the scheme in any case.
package struct BearerToken: Sendable {
  private let token: String

  /// - Parameter token: Visible ASCII characters, at least one.
  package init(_ token: String) {
    self.token = token
  }

  /// Whether a request has the token.
  package func isIn(_ headers: HTTPFields) -> Bool {
    let parts = (headers[.authorization] ?? "").split(separator: " ", maxSplits: 1)
    return parts.count == 2 && parts[0].lowercased() == "bearer"
      && parts[1].isSameSecret(as: self.token)
  }
}

extension StringProtocol {
  /// Compares in constant time: the position of a difference does not affect the duration.
  package func isSameSecret(as other: some StringProtocol) -> Bool {
    self.utf8.count == other.utf8.count
      && zip(self.utf8, other.utf8).reduce(0 as UInt8) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
