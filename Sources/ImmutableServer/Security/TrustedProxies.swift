import Foundation
import HTTPConnections
import HTTPTypes
import NIOCore

/// The proxies whose `X-Forwarded-For` and `X-Forwarded-Proto` headers are trusted. From any other
/// address they are ignored.
public struct TrustedProxies: Hashable, Sendable {
  private let networks: [Network]

  /// Trusts no proxy.
  public init() {
    self.networks = []
  }

  /// - Parameter text: Comma-separated IP addresses and networks like `10.0.0.0/8`.
  /// - Returns: `nil` if an entry is neither.
  public init?(_ text: String) {
    var networks: [Network] = []
    for part in text.split(separator: ",") {
      guard let network = Network(part.trimmingCharacters(in: .whitespaces)) else { return nil }
      networks.append(network)
    }
    self.networks = networks
  }

  func trusts(_ address: String) -> Bool {
    guard let bytes = Network.bytes(of: address) else { return false }
    return self.networks.contains { $0.contains(bytes) }
  }
}

/// The client that sent a request, as far as it is known.
struct Client: Sendable {
  /// The client's IP address; empty if the connection has none.
  let address: String
  /// Whether the client's browser uses https.
  let isSecure: Bool
  /// Whether there is no proxy between the client and the server.
  let isDirect: Bool

  /// - Parameters:
  ///   - request: The request, with the headers that proxies have added.
  ///   - peer: The IP address of the other end of the connection.
  ///   - proxies: The proxies whose headers are trusted.
  init(_ request: HTTPRequest, peer: String, proxies: TrustedProxies) {
    let fields = request.headerFields
    self.isDirect = fields.allSatisfy { Self.isForwarding($0.name) == false }
    // Each proxy appends the address of its client. Everything before the first untrusted address
    // can be forged.
    var heard = fields[values: .forwardedFor].flatMap { $0.split(separator: ",") }
    var address = peer
    while proxies.trusts(address), let next = heard.popLast() {
      let next = next.trimmingCharacters(in: .whitespaces)
      guard Network.bytes(of: next) != nil else { break }
      address = next
    }
    self.address = ClientNetwork.unmapped(address)
    let scheme = fields[values: .forwardedProto].last?.split(separator: ",").last
    self.isSecure =
      proxies.trusts(peer)
      && scheme?.trimmingCharacters(in: .whitespaces).lowercased() == "https"
  }

  /// The key for limits per network.
  var network: String { ClientNetwork.key(of: self.address) }

  /// Whether a proxy adds a header of this name. There are many such names, and new ones appear,
  /// hence the prefixes and suffixes.
  private static func isForwarding(_ name: HTTPField.Name) -> Bool {
    let name = name.canonicalName
    return self.forwardingPrefixes.contains { name.hasPrefix($0) }
      || self.forwardingSuffixes.contains { name.hasSuffix($0) }
  }

  private static let forwardingPrefixes = [
    "x-forwarded", "forwarded", "via", "x-original-", "x-originating-", "x-remote-", "x-proxy",
    "x-proxied-", "x-envoy-", "x-amz-cf-", "x-azure-", "x-appengine-", "cf-", "cdn-", "fastly-",
  ]
  private static let forwardingSuffixes = [
    "-ip", "-clientip", "-client-addr", "-remote-addr", "-forwarded-for", "-forwarded-host",
  ]
}

/// A network of IP addresses.
private struct Network: Hashable, Sendable {
  /// 16 bytes; an IPv4 address is mapped into IPv6.
  let bytes: [UInt8]
  /// The number of significant bits.
  let length: Int

  init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard let first = parts.first, parts.count <= 2, let bytes = Self.bytes(of: String(first))
    else { return nil }
    let offset = first.contains(":") ? 0 : 96
    var length = 128
    if parts.count == 2 {
      guard let bits = UInt8(parts[1]).map(Int.init), "\(bits)" == parts[1],
        bits <= 128 - offset
      else { return nil }
      length = offset + bits
    }
    self.bytes = bytes
    self.length = length
  }

  func contains(_ other: [UInt8]) -> Bool {
    let (whole, rest) = self.length.quotientAndRemainder(dividingBy: 8)
    guard self.bytes.prefix(whole) == other.prefix(whole) else { return false }
    return rest == 0 || (self.bytes[whole] ^ other[whole]) >> (8 - rest) == 0
  }

  static func bytes(of address: String) -> [UInt8]? {
    var ipv4 = in_addr()
    if inet_pton(AF_INET, address, &ipv4) == 1 {
      let mapped = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]
      return mapped + withUnsafeBytes(of: &ipv4) { Array($0) }
    }
    var ipv6 = in6_addr()
    guard inet_pton(AF_INET6, address, &ipv6) == 1 else { return nil }
    return withUnsafeBytes(of: &ipv6) { Array($0) }
  }
}

extension HTTPField.Name {
  static let forwardedFor = Self("X-Forwarded-For")!
  static let forwardedProto = Self("X-Forwarded-Proto")!
}
