import Foundation
package import HTTPTypes

/// The host names that this server accepts, as a protection against DNS rebinding: a request for a
/// foreign domain that resolves to this machine is refused.
package struct HostPolicy: Sendable {
  /// Names in addition to loopback names and IP literals, in lower case.
  private let allowed: Set<String>

  private static let field = HTTPField.Name("Host")!

  /// - Parameter allowed: Names in addition to loopback names and IP literals, in any case.
  package init(allowed: Set<String>) {
    // An invalid host counts as an empty name.
    self.allowed = Set(allowed.map { $0.lowercased() }).subtracting([""])
  }

  /// - Parameter list: Names separated by commas.
  /// - Returns: `nil` if one of them is no name or IP address, for example because it has a scheme, a
  ///   port or a `*`. No host would ever equal it.
  package static func names(in list: String) -> Set<String>? {
    let names = list.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { $0.isEmpty == false }
    guard names.allSatisfy({ self.isName($0) || self.isIPLiteral($0) }) else { return nil }
    return Set(names)
  }

  private static func isName(_ text: String) -> Bool {
    text.wholeMatch(of: /[A-Za-z0-9._\-]+/) != nil
  }

  /// - Throws: ``HTTPFailure``, 400 without a host or with several, 421 for a foreign one.
  package func check(_ request: HTTPRequest) throws(HTTPFailure) {
    guard let authority = request.authority, authority.isEmpty == false else {
      throw HTTPFailure(status: .badRequest, message: "The request has no Host header.")
    }
    // The first one has become the authority. (RFC 9112, section 3.2)
    guard request.headerFields[Self.field] == nil else {
      throw HTTPFailure(status: .badRequest, message: "The request has several Host headers.")
    }
    guard self.isAllowed(Self.host(of: authority)) else {
      throw HTTPFailure(
        status: .misdirectedRequest,
        message:
          "This server does not serve \(authority). Its operator can allow that name."
      )
    }
  }

  package func isAllowed(_ host: String) -> Bool {
    host == "localhost" || host.hasSuffix(".localhost") || Self.isIPLiteral(host)
      || self.allowed.contains(host)
  }

  /// Whether a name or an address is a loopback name or address.
  package static func isLoopback(_ host: String) -> Bool {
    host == "localhost" || host.hasSuffix(".localhost") || host == "::1"
      || host.hasPrefix("127.") && Self.isIPLiteral(host)
  }

  /// The host of `host:port`, in lower case, without the brackets of an IPv6 literal; empty, which
  /// is never allowed, if it is invalid.
  ///
  /// - Complexity: O(n), n bytes. (It runs for every request: a regular expression took 0.2 ms.)
  package static func host(of authority: String) -> String {
    let authority = authority.lowercased().utf8
    let host: Substring.UTF8View
    let port: Substring.UTF8View
    if authority.first == UInt8(ascii: "[") {
      guard let end = authority.firstIndex(of: UInt8(ascii: "]")) else { return "" }
      host = authority[..<end].dropFirst()
      port = authority[end...].dropFirst()
    } else {
      host = authority.prefix { $0 != UInt8(ascii: ":") }
      port = authority[host.endIndex...]
      guard host.contains(UInt8(ascii: "[")) == false, host.contains(UInt8(ascii: "]")) == false
      else { return "" }
    }
    let isPort = port.isEmpty || port.first == UInt8(ascii: ":")
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    guard isPort, port.dropFirst().allSatisfy(digits.contains) else { return "" }
    return String(Substring(host))
  }

  private static func isIPLiteral(_ host: String) -> Bool {
    var ipv4 = in_addr()
    var ipv6 = in6_addr()
    return inet_pton(AF_INET, host, &ipv4) == 1 || inet_pton(AF_INET6, host, &ipv6) == 1
  }
}
