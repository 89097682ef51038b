/// The size of a small version of an uploaded picture: a WebP file that fits in a square, and is
/// never larger than the original.
public enum PictureSize: Int, CaseIterable, Hashable, Sendable {
  /// For a row of a list, with three pixels for each CSS pixel, as on high-resolution screens.
  case row = 96
  /// For a picture that is shown alone.
  case detail = 640

  /// Pixels of each side of the square.
  public var side: Int { self.rawValue }

  /// - Returns: `nil` if no size has this name.
  public init?(name: some StringProtocol) {
    guard let size = Self.allCases.first(where: { "\($0.side)" == name }) else { return nil }
    self = size
  }

  /// The name of the file, which is next to the original's.
  func name(of hash: String) -> String { "\(hash)-\(self.side)" }
}

extension Picture {
  /// The path of the small picture on a server.
  public func url(_ size: PictureSize) -> String { "\(self.url)/\(size.side)" }

  /// The width and the height of a small picture of it, in pixels.
  public func fitted(_ size: PictureSize) -> (width: Int, height: Int) {
    let longer = max(self.width, self.height)
    guard longer > size.side else { return (self.width, self.height) }
    // To the nearest pixel, and at least one.
    let scaled = { max(1, ($0 * size.side + longer / 2) / longer) }
    return (scaled(self.width), scaled(self.height))
  }
}
