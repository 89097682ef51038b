import HTTPTypes

/// Rejects requests that another site makes a browser send here.
///
/// Source: Go, net/http, CrossOriginProtection.
enum OriginPolicy {
  /// Checks a request that may change something.
  ///
  /// - Throws: ``HTTPFailure``, 403.
  static func check(_ request: HTTPRequest) throws {
    guard request.method != .get, request.method != .head, request.method != .options else {
      return
    }
    try self.checkSource(of: request)
  }

  /// Checks a request, whatever its method: one that takes what there is a limit of.
  ///
  /// - Throws: ``HTTPFailure``, 403.
  static func checkSource(of request: HTTPRequest) throws {
    if let site = request.headerFields[.secFetchSite] {
      guard site == "same-origin" || site == "none" else { throw Self.failure }
      return
    }
    // Over plain http from another host there is no Sec-Fetch-Site. Clients other than browsers
    // send no Origin either.
    guard let origin = request.headerFields[.origin] else { return }
    // An origin is `scheme://host:port`. Like Host, it omits the default port.
    guard let scheme = origin.firstRange(of: "://"),
      origin[scheme.upperBound...].lowercased() == request.authority?.lowercased()
    else { throw Self.failure }
  }

  private static let failure = HTTPFailure(
    status: .forbidden,
    message: "This came from another site. Open the page here and submit it again."
  )
}

extension HTTPField.Name {
  static let secFetchSite = Self("Sec-Fetch-Site")!
}
