/// A state's reference to a picture in a ``PictureStore``, which has the bytes.
///
/// ```swift
/// Picture("9f86…0a08~image/png~640~480")?.height  // 480
/// ```
public struct Picture: Hashable, Sendable {
  /// The format of a picture, determined by its content.
  public enum Kind: String, CaseIterable, Hashable, Codable, Sendable {
    case jpeg = "image/jpeg"
    case png = "image/png"
    case gif = "image/gif"
    case webp = "image/webp"

    /// Its common name.
    public var name: String {
      switch self {
      case .jpeg: "JPEG"
      case .png: "PNG"
      case .gif: "GIF"
      case .webp: "WebP"
      }
    }
  }

  /// The SHA-256 of its bytes: 64 hexadecimal digits.
  public let hash: String
  public let kind: Kind
  /// The size in pixels as it is shown, after the rotation that the camera recorded.
  public let width: Int
  public let height: Int

  /// - Returns: `nil` if this cannot be a picture, because the hash is malformed, or the size is
  ///   beyond the limits of a ``PictureHeader``.
  public init?(hash: String, kind: Kind, width: Int, height: Int) {
    guard Self.isHash(hash), PictureHeader.isAllowed(width: width, height: height) else {
      return nil
    }
    self.hash = hash
    self.kind = kind
    self.width = width
    self.height = height
  }

  /// Its path on a server.
  public var url: String { Self.path + self.hash }

  /// The prefix of the paths of all pictures.
  public static var path: String { "/pictures/" }

  /// Whether a text can be the hash of a picture, and so a file name.
  public static func isHash(_ text: some StringProtocol) -> Bool {
    text.utf8.count == 64
      && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }
}

extension Picture: LosslessStringConvertible {
  public init?(_ description: String) {
    let parts = description.split(separator: "~", omittingEmptySubsequences: false)
    guard parts.count == 4, let kind = Kind(rawValue: String(parts[1])),
      let width = Int(parts[2]), let height = Int(parts[3])
    else { return nil }
    self.init(hash: String(parts[0]), kind: kind, width: width, height: height)
  }

  public var description: String {
    "\(self.hash)~\(self.kind.rawValue)~\(self.width)~\(self.height)"
  }
}

extension Picture: Codable {
  private enum CodingKeys: String, CodingKey {
    case hash, kind, width, height
  }

  /// - Throws: `DecodingError` if it cannot be a picture.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    let picture = Self(
      hash: try values.decode(String.self, forKey: .hash),
      kind: try values.decode(Kind.self, forKey: .kind),
      width: try values.decode(Int.self, forKey: .width),
      height: try values.decode(Int.self, forKey: .height)
    )
    guard let picture else {
      throw DecodingError.dataCorruptedError(
        forKey: .hash, in: values, debugDescription: "This is no picture.")
    }
    self = picture
  }

  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(self.hash, forKey: .hash)
    try values.encode(self.kind, forKey: .kind)
    try values.encode(self.width, forKey: .width)
    try values.encode(self.height, forKey: .height)
  }
}
