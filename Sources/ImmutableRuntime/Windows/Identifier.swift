import ImmutableUI

/// 128 random bits that identify a stream, a window, a session or a boot and cannot be guessed.
public struct Identifier: Hashable, Sendable {
  private let high: UInt64
  private let low: UInt64

  /// - Parameter generator: Must be cryptographically secure outside tests.
  public init(using generator: inout some RandomNumberGenerator) {
    self.high = generator.next()
    self.low = generator.next()
  }

  public init() {
    var generator = SystemRandomNumberGenerator()
    self.init(using: &generator)
  }

  /// - Returns: `nil` unless the text is an identifier's ``text``.
  public init?(_ text: some StringProtocol) {
    guard let words = Base64URL.decode(text) else { return nil }
    (self.high, self.low) = words
  }

  /// 22 characters of base64url.
  public var text: String {
    Base64URL.encode([self.high, self.low])
  }
}
