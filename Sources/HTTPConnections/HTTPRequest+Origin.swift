package import HTTPTypes

extension HTTPRequest {
  /// Whether another site makes a browser send it.
  ///
  /// Source: Go, net/http, CrossOriginProtection.
  package var isFromAnotherSite: Bool {
    if let site = self.headerFields[.secFetchSite] {
      return site != "same-origin" && site != "none"
    }
    // Over plain http from another host there is no Sec-Fetch-Site. Clients other than browsers
    // send no Origin either.
    guard let origin = self.headerFields[.origin] else { return false }
    // An origin is `scheme://host:port`. Like Host, it omits the default port.
    guard let scheme = origin.firstRange(of: "://") else { return true }
    return origin[scheme.upperBound...].lowercased() != self.authority?.lowercased()
  }
}

extension HTTPField.Name {
  fileprivate static let secFetchSite = Self("Sec-Fetch-Site")!

  /// Keeps nginx from buffering events.
  package static let xAccelBuffering = Self("X-Accel-Buffering")!
}
