/// The format and size of a picture, from its first bytes. Nothing is decoded.
///
/// The format is determined by the content, whatever a client calls it. SVG is not accepted,
/// because it can contain scripts.
public struct PictureHeader: Hashable, Sendable {
  public let kind: Picture.Kind
  /// The size in pixels as it is shown, after the rotation that the camera recorded.
  public let width: Int
  public let height: Int

  /// Reads the available bytes of a file from an offset, at most the requested number.
  typealias Reader = (_ offset: Int, _ count: Int) throws(PictureStoreError) -> [UInt8]

  /// The maximum number of pixels per side and in total, which browsers decode without problems. A
  /// file of a few kilobytes can claim more pixels than fit into any memory.
  public static var sideLimit: Int { 16_384 }
  public static var pixelLimit: Int { 64_000_000 }

  static func isAllowed(width: Int, height: Int) -> Bool {
    (1...self.sideLimit).contains(width) && (1...self.sideLimit).contains(height)
      && width * height <= self.pixelLimit
  }

  /// Whether browsers can be expected to show it.
  public var isAllowed: Bool { Self.isAllowed(width: self.width, height: self.height) }

  /// - Parameter read: Reads from the file.
  /// - Returns: `nil` for anything but a JPEG, PNG, GIF or WebP file.
  /// - Complexity: O(1): a few bytes of each of up to 500 segments of a JPEG file.
  init?(_ read: Reader) throws(PictureStoreError) {
    let start = try read(0, 32)
    if start.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
      self.init(png: start)
    } else if start.starts(with: Array("GIF87a".utf8)) || start.starts(with: Array("GIF89a".utf8)) {
      self.init(gif: start)
    } else if start.starts(with: Array("RIFF".utf8)), start.dropFirst(8).starts(with: "WEBP".utf8) {
      self.init(webP: start)
    } else if start.starts(with: [0xFF, 0xD8, 0xFF]) {
      try self.init(jpeg: read)
    } else {
      return nil
    }
  }

  private init(_ kind: Picture.Kind, _ width: Int, _ height: Int) {
    self.kind = kind
    self.width = width
    self.height = height
  }

  // PNG specification, section 11.2.1.
  private init?(png bytes: [UInt8]) {
    guard bytes.count >= 24, bytes[12..<16].elementsEqual("IHDR".utf8) else { return nil }
    self.init(.png, bytes.big(at: 16, 4), bytes.big(at: 20, 4))
  }

  // GIF89a, section 18.
  private init?(gif bytes: [UInt8]) {
    guard bytes.count >= 10 else { return nil }
    self.init(.gif, bytes.little(at: 6, 2), bytes.little(at: 8, 2))
  }

  // RFC 9649; RFC 6386, section 9.1, for the lossy format.
  private init?(webP bytes: [UInt8]) {
    guard bytes.count >= 30 else { return nil }
    switch String(decoding: bytes[12..<16], as: UTF8.self) {
    case "VP8 ":
      guard bytes[23..<26].elementsEqual([0x9D, 0x01, 0x2A]) else { return nil }
      self.init(.webp, bytes.little(at: 26, 2) & 0x3FFF, bytes.little(at: 28, 2) & 0x3FFF)
    case "VP8L":
      guard bytes[20] == 0x2F else { return nil }
      let bits = bytes.little(at: 21, 4)
      self.init(.webp, (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1)
    case "VP8X":
      self.init(.webp, bytes.little(at: 24, 3) + 1, bytes.little(at: 27, 3) + 1)
    default:
      return nil
    }
  }

  // ITU T.81, annex B.
  private init?(jpeg read: Reader) throws(PictureStoreError) {
    var offset = 2
    var orientation: Int?
    for _ in 0..<500 {
      let segment = try read(offset, 9)
      guard segment.count == 9, segment[0] == 0xFF else { return nil }
      let marker = segment[1]
      switch marker {
      case 0xFF:
        // Any number of fill bytes may come before a marker.
        offset += 1
        continue
      case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
        let (height, width) = (segment.big(at: 5, 2), segment.big(at: 7, 2))
        let isTurned = (5...8).contains(orientation ?? 1)
        self.init(.jpeg, isTurned ? height : width, isTurned ? width : height)
        return
      case 0x01, 0xD0...0xD9, 0xDA, 0x00:
        // Markers without a length, and the pixels, do not come before the size.
        return nil
      default:
        let length = segment.big(at: 2, 2)
        guard length >= 2 else { return nil }
        // Only the first one before the tables counts. XMP has the same marker.
        if marker == 0xE1, orientation == nil {
          orientation = try Self.orientation(offset + 4, length - 2, read)
        } else if (0xC0...0xCF).contains(marker) {
          orientation = orientation ?? 1
        }
        offset += 2 + length
      }
    }
    return nil
  }

  /// - Returns: The orientation of the camera, 1 to 8; 1 if the segment does not contain it; `nil`
  ///   if it is not Exif.
  ///
  /// Source: Exif 2.32, section 4.6.4, tag 274; TIFF 6.0, section 2.
  static func orientation(
    _ offset: Int,
    _ length: Int,
    _ read: Reader
  ) throws(PictureStoreError) -> Int? {
    let bytes = try read(offset, min(length, 4_096))
    guard bytes.starts(with: [0x45, 0x78, 0x69, 0x66, 0, 0]) else { return nil }
    guard bytes.count >= 14 else { return 1 }
    let tiff = Array(bytes[6...])
    let isLittle = tiff[0] == 0x49
    func number(_ offset: Int, _ count: Int) -> Int? {
      guard offset >= 0, offset + count <= tiff.count else { return nil }
      return isLittle ? tiff.little(at: offset, count) : tiff.big(at: offset, count)
    }
    guard let directory = number(4, 4), let count = number(directory, 2) else { return 1 }
    for index in 0..<min(count, 64) {
      let entry = directory + 2 + 12 * index
      guard let tag = number(entry, 2), let value = number(entry + 8, 2) else { return 1 }
      if tag == 274 { return value }
    }
    return 1
  }
}

extension [UInt8] {
  fileprivate func big(at index: Int, _ count: Int) -> Int {
    self[index..<(index + count)].reduce(0) { $0 << 8 | Int($1) }
  }

  fileprivate func little(at index: Int, _ count: Int) -> Int {
    self[index..<(index + count)].reversed().reduce(0) { $0 << 8 | Int($1) }
  }
}
