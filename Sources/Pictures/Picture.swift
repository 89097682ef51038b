/// A picture that a ``PictureStore`` keeps: what a state has of it. Its bytes are in the store.
///
/// ```swift
/// Picture("9f86…0a08~image/png~640~480")?.height  // 480
/// ```
public struct Picture: Hashable, Sendable {
  /// What a picture is, by its content.
  public enum Kind: String, CaseIterable, Hashable, Codable, Sendable {
    case jpeg = "image/jpeg"
    case png = "image/png"
    case gif = "image/gif"
    case webp = "image/webp"

    /// Its name, as people know it.
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
  /// In pixels, as it is shown: turned as its camera says.
  public let width: Int
  public let height: Int

  /// - Returns: `nil` if this can be no picture: the hash is malformed, or the size is beyond the
  ///   limits of a ``PictureHeader``.
  public init?(hash: String, kind: Kind, width: Int, height: Int) {
    guard Self.isHash(hash), PictureHeader.isAllowed(width: width, height: height) else {
      return nil
    }
    self.hash = hash
    self.kind = kind
    self.width = width
    self.height = height
  }

  /// Where a server has it, as a path.
  public var url: String { Self.path + self.hash }

  /// What the paths of all pictures begin with.
  public static var path: String { "/pictures/" }

  /// Whether a text can be the hash of a picture, and so the name of a file.
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

  /// - Throws: `DecodingError` for what can be no picture.
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
