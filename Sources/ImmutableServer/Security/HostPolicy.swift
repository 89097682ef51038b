import Foundation
import HTTPTypes

/// Which names this server answers to, against DNS rebinding: a page of a stranger's domain that
/// resolves to this machine is refused.
struct HostPolicy: Sendable {
  /// Names besides loopback names and IP literals, in lower case.
  let allowed: Set<String>

  private static let field = HTTPField.Name("Host")!

  /// - Throws: ``Failure``, 400 without a host and for several, 421 for one that is not ours.
  func check(_ request: HTTPRequest) throws {
    guard let authority = request.authority, authority.isEmpty == false else {
      throw Failure(status: .badRequest, message: "The request has no Host header.")
    }
    // The first has become the authority. (RFC 9112, section 3.2)
    guard request.headerFields[Self.field] == nil else {
      throw Failure(status: .badRequest, message: "The request has several Host headers.")
    }
    guard self.isAllowed(Self.host(of: authority)) else {
      throw Failure(
        status: .misdirectedRequest,
        message:
          "This server does not serve \(authority). Start it with --allowed-hosts if it should."
      )
    }
  }

  func isAllowed(_ host: String) -> Bool {
    host == "localhost" || host.hasSuffix(".localhost") || Self.isIPLiteral(host)
      || self.allowed.contains(host)
  }

  /// Whether a name or an address is this machine's own, for itself.
  static func isLoopback(_ host: String) -> Bool {
    host == "localhost" || host.hasSuffix(".localhost") || host == "::1"
      || host.hasPrefix("127.") && Self.isIPLiteral(host)
  }

  /// The host of `host:port`, in lower case, without the brackets of an IPv6 literal; empty, which
  /// is allowed nowhere, for what is neither.
  static func host(of authority: String) -> String {
    let authority = authority.lowercased()
    guard let match = authority.wholeMatch(of: /(?:\[([^\]]*)\]|([^:\[\]]*))(?::[0-9]*)?/) else {
      return ""
    }
    return String(match.output.1 ?? match.output.2 ?? "")
  }

  private static func isIPLiteral(_ host: String) -> Bool {
    var ipv4 = in_addr()
    var ipv6 = in6_addr()
    return inet_pton(AF_INET, host, &ipv4) == 1 || inet_pton(AF_INET6, host, &ipv6) == 1
  }
}
