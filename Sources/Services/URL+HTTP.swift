package import Foundation

extension URL {
  /// Whether it can be the address of a server: an HTTP address with a host, and without a port that
  /// cannot exist.
  package var isHTTP: Bool {
    ["http", "https"].contains(self.scheme?.lowercased()) && self.host()?.isEmpty == false
      && self.hasPossiblePort
  }

  /// Whether it has no port, or one that can exist.
  var hasPossiblePort: Bool {
    self.port.map { UInt16(exactly: $0) != nil } ?? true
  }
}
