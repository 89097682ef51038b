import Crypto
public import Foundation

/// The private key that opens sealed recordings: an X25519 key for HPKE (RFC 9180).
public struct RecordingKey: Sendable {
  static var suite: HPKE.Ciphersuite { .Curve25519_SHA256_ChachaPoly }
  /// The purpose of the keys of recordings.
  static let purpose = Data("ImmutableData recording 1".utf8)

  let key: Curve25519.KeyAgreement.PrivateKey

  /// Makes a new key.
  public init() {
    self.key = Curve25519.KeyAgreement.PrivateKey()
  }

  /// - Parameter url: The file that ``write(to:)`` has written.
  /// - Throws: ``RecordingError`` if the file does not contain a private key.
  public init(_ url: URL) throws {
    let bytes = try Self.bytes(of: url)
    guard let key = try? Curve25519.KeyAgreement.PrivateKey(rawRepresentation: bytes) else {
      throw RecordingError("\(url.path) has no key.")
    }
    self.key = key
  }

  /// The key that seals recordings. It cannot open them.
  public var publicKey: Public { Public(key: self.key.publicKey) }

  /// Writes the private key to a new file that only its owner can read, and the public key beside
  /// it.
  ///
  /// - Parameter url: The file of the private key. The file of the public key has `.pub` appended.
  /// - Returns: The file of the public key.
  /// - Throws: ``RecordingError`` if a file already exists, or cannot be made.
  public func write(to url: URL) throws -> URL {
    let publicURL = url.appendingPathExtension("pub")
    for (url, bytes) in [
      (url, self.key.rawRepresentation), (publicURL, self.publicKey.key.rawRepresentation),
    ] {
      try OwnerFile.write(Data((bytes.base64EncodedString() + "\n").utf8), to: url)
    }
    return publicURL
  }

  /// The public key, which can only seal recordings.
  public struct Public: Sendable {
    let key: Curve25519.KeyAgreement.PublicKey

    init(key: Curve25519.KeyAgreement.PublicKey) {
      self.key = key
    }

    /// - Parameter url: The file with `.pub` that ``RecordingKey/write(to:)`` has written.
    /// - Throws: ``RecordingError`` if the file does not contain a key.
    public init(_ url: URL) throws {
      let bytes = try RecordingKey.bytes(of: url)
      guard let key = try? Curve25519.KeyAgreement.PublicKey(rawRepresentation: bytes) else {
        throw RecordingError("\(url.path) has no key.")
      }
      self.key = key
    }
  }

  private static func bytes(of url: URL) throws -> Data {
    guard let text = try? String(contentsOf: url, encoding: .utf8) else {
      throw RecordingError("\(url.path) cannot be read.")
    }
    return Data(base64Encoded: text.trimmingCharacters(in: .whitespacesAndNewlines)) ?? Data()
  }
}
