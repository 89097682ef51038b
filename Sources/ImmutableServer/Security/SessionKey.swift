import ImmutableRuntime
import ImmutableUI

/// Signs session ids, so that only sessions of this boot are known, and none has to be stored.
struct SessionKey: Sendable {
  private let key: (UInt64, UInt64)

  init() {
    var generator = SystemRandomNumberGenerator()
    self.key = (generator.next(), generator.next())
  }

  /// The id and its signature, as a cookie has them.
  func sign(_ session: Identifier) -> String {
    "\(session.text).\(self.signature(session))"
  }

  /// - Returns: The id, if the signature is one of this key.
  func verify(_ text: some StringProtocol) -> Identifier? {
    let parts = text.split(separator: ".")
    guard parts.count == 2, let session = Identifier(parts[0]),
      parts[1].isSameSecret(as: self.signature(session))
    else { return nil }
    return session
  }

  private func signature(_ session: Identifier) -> String {
    var hasher = TagHasher(key: self.key)
    hasher.combine(session.text)
    return hasher.finalize().text
  }
}

extension StringProtocol {
  /// Takes the same time wherever the texts differ.
  func isSameSecret(as other: some StringProtocol) -> Bool {
    self.utf8.count == other.utf8.count
      && zip(self.utf8, other.utf8).reduce(0 as UInt8) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
