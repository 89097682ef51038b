import HTTPTypes

/// The secret that clients need for access.
struct BearerToken: Sendable {
  private let token: [UInt8]

  /// - Parameter token: Visible ASCII characters, at least one.
  init(_ token: String) {
    precondition(token.isEmpty == false, "a token is not empty")
    self.token = Array(token.utf8)
  }

  /// - Throws: ``HTTPFailure``, 401.
  func check(_ headers: HTTPFields) throws {
    let parts = (headers[.authorization] ?? "").split(separator: " ", maxSplits: 1)
    guard parts.count == 2, parts[0].lowercased() == "bearer", self.equals(Array(parts[1].utf8))
    else {
      throw HTTPFailure(
        status: .unauthorized,
        message: "Send the token of this server, as Authorization: Bearer TOKEN.",
        headers: [.wwwAuthenticate: "Bearer"]
      )
    }
  }

  /// Compares in constant time: the duration reveals only the length of the sent token.
  private func equals(_ other: [UInt8]) -> Bool {
    var difference = self.token.count ^ other.count
    for index in other.indices {
      difference |= Int(other[index] ^ self.token[index % self.token.count])
    }
    return difference == 0
  }
}
