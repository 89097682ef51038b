import HTTPConnections
import ImmutableData
import ImmutableRuntime
import ImmutableUI

/// Signs session ids, so that sessions need not be stored and only those of this boot, or of servers with
/// the same key, are accepted.
struct SessionKey: Sendable {
  private let key: (UInt64, UInt64)

  /// - Parameter bytes: 16 random bytes; `nil` for a new random key.
  init(_ bytes: [UInt8]?) {
    var generator = SystemRandomNumberGenerator()
    guard let bytes else {
      self.key = (generator.next(), generator.next())
      return
    }
    precondition(bytes.count == 16, "the key of sessions has 16 bytes")
    let number = { (part: ArraySlice<UInt8>) in part.reduce(0) { $0 << 8 | UInt64($1) } }
    self.key = (number(bytes[..<8]), number(bytes[8...]))
  }

  /// The id and its signature, as the cookie's value.
  func sign(_ session: Identifier) -> String {
    "\(session.text).\(self.signature(session))"
  }

  /// - Returns: The id if it was signed with this key.
  func verify(_ text: some StringProtocol) -> Identifier? {
    let parts = text.split(separator: ".")
    guard parts.count == 2, let session = Identifier(parts[0]),
      parts[1].isSameSecret(as: self.signature(session))
    else { return nil }
    return session
  }

  /// The pseudonym of whoever has a session. It reveals neither the id nor the signature.
  func visitor(of session: Identifier) -> Visitor {
    var hasher = TagHasher(key: self.key)
    hasher.combine("visitor")
    hasher.combine(session.text)
    return Visitor(rawValue: hasher.finalize().text)
  }

  private func signature(_ session: Identifier) -> String {
    var hasher = TagHasher(key: self.key)
    hasher.combine(session.text)
    return hasher.finalize().text
  }
}
