import Foundation
import HTTPTypes

/// Which names this server answers to, against DNS rebinding: a page of a stranger's domain that
/// resolves to this machine is refused; so is a page of another site.
struct HostPolicy: Sendable {
  /// Names besides loopback names and IP addresses, in lower case.
  let allowed: Set<String>

  private static let field = HTTPField.Name("Host")!

  /// - Throws: ``Failure``: 400 without a host or with several, 421 for one that is not ours, 403 for another site.
  func check(_ request: HTTPRequest) throws {
    guard let authority = request.authority, authority.isEmpty == false else {
      throw Failure(status: .badRequest, message: "The request has no Host header.")
    }
    // The first has become the authority. (RFC 9112, section 3.2)
    guard request.headerFields[Self.field] == nil else {
      throw Failure(status: .badRequest, message: "The request has several Host headers.")
    }
    let host = Self.host(of: authority.lowercased())
    let isAllowed =
      host == "localhost" || host.hasSuffix(".localhost") || Self.isIPAddress(host)
      || self.allowed.contains(host)
    guard isAllowed else {
      throw Failure(
        status: .misdirectedRequest,
        message:
          "This server does not serve \(authority). Start it with --allowed-hosts if it should."
      )
    }
    let site = HTTPField.Name("Sec-Fetch-Site").flatMap { request.headerFields[$0] }
    guard [nil, "none", "same-origin"].contains(site) else {
      throw Failure(
        status: .forbidden,
        message: "Pages of other sites may not use this server."
      )
    }
  }

  /// Whether only this machine can connect to an address.
  static func isLoopback(_ host: String) -> Bool {
    let host = host.lowercased()
    var address = in_addr()
    return host == "localhost" || host == "::1"
      || inet_pton(AF_INET, host, &address) == 1 && host.hasPrefix("127.")
  }

  /// The host of `host:port`, without the brackets of an IPv6 address; empty for what is neither.
  private static func host(of authority: String) -> String {
    guard let match = authority.wholeMatch(of: /(?:\[([^\]]*)\]|([^:\[\]]*))(?::[0-9]*)?/) else {
      return ""
    }
    return String(match.output.1 ?? match.output.2 ?? "")
  }

  private static func isIPAddress(_ host: String) -> Bool {
    var ipv4 = in_addr()
    var ipv6 = in6_addr()
    return inet_pton(AF_INET, host, &ipv4) == 1 || inet_pton(AF_INET6, host, &ipv6) == 1
  }
}
