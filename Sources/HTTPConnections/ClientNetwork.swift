#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The key for limits per client.
package enum ClientNetwork {
  /// An IPv4 address, or the /64 network of an IPv6 address, which is the smallest that a household
  /// is assigned.
  package static func key(of address: String) -> String {
    let address = self.unmapped(address)
    var bytes = in6_addr()
    guard address.contains(":"), inet_pton(AF_INET6, address, &bytes) == 1 else { return address }
    return withUnsafeBytes(of: &bytes) { bytes in
      bytes.prefix(8).map { String($0, radix: 16) }.joined(separator: ":")
    }
  }

  /// Turns an IPv4-mapped IPv6 address, as an IPv6 socket reports it, into a plain IPv4 address.
  package static func unmapped(_ address: String) -> String {
    let prefix = "::ffff:"
    guard address.lowercased().hasPrefix(prefix), address.contains(".") else { return address }
    return String(address.dropFirst(prefix.count))
  }
}
