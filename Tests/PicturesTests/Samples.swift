import Foundation
import Pictures

/// Files of each kind, as far as their headers go.
enum Sample {
  static func png(_ width: Int, _ height: Int) -> [UInt8] {
    [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)
      + big(width, 4) + big(height, 4) + [8, 6, 0, 0, 0]
  }

  static func gif(_ width: Int, _ height: Int) -> [UInt8] {
    Array("GIF89a".utf8) + little(width, 2) + little(height, 2) + [0, 0, 0]
  }

  static func lossyWebP(_ width: Int, _ height: Int) -> [UInt8] {
    self.webP("VP8 ", [0, 0, 0, 0x9D, 0x01, 0x2A] + little(width, 2) + little(height, 2))
  }

  static func losslessWebP(_ width: Int, _ height: Int) -> [UInt8] {
    self.webP("VP8L", [0x2F] + little((width - 1) | (height - 1) << 14, 4) + [0, 0, 0, 0, 0])
  }

  static func extendedWebP(_ width: Int, _ height: Int) -> [UInt8] {
    self.webP("VP8X", [0, 0, 0, 0] + little(width - 1, 3) + little(height - 1, 3))
  }

  private static func webP(_ chunk: String, _ content: [UInt8]) -> [UInt8] {
    Array("RIFF".utf8) + [0, 0, 0, 0] + Array("WEBP\(chunk)".utf8) + [0, 0, 0, 0] + content
  }

  /// - Parameter orientation: As Exif has it; `nil` without Exif.
  static func jpeg(_ width: Int, _ height: Int, orientation: Int? = nil) -> [UInt8] {
    var bytes: [UInt8] = [0xFF, 0xD8]
    bytes += self.segment(0xE0, Array("JFIF\0".utf8) + [1, 1, 0, 0, 1, 0, 1, 0, 0])
    if let orientation {
      let tiff =
        Array("MM".utf8) + big(42, 2) + big(8, 4) + big(1, 2)
        + big(274, 2) + big(3, 2) + big(1, 4) + big(orientation, 2) + [0, 0]
      bytes += self.segment(0xE1, Array("Exif".utf8) + [0, 0] + tiff)
    }
    bytes += self.segment(0xC2, [8] + big(height, 2) + big(width, 2) + [3])
    return bytes + [0xFF, 0xDA]
  }

  private static func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
    [0xFF, marker] + big(content.count + 2, 2) + content
  }

  private static func big(_ number: Int, _ count: Int) -> [UInt8] {
    (0..<count).reversed().map { UInt8(number >> (8 * $0) & 0xFF) }
  }

  private static func little(_ number: Int, _ count: Int) -> [UInt8] {
    self.big(number, count).reversed()
  }
}

extension PictureHeader {
  init?(_ bytes: [UInt8]) {
    try? self.init { offset, count in Array(bytes.dropFirst(offset).prefix(count)) }
  }
}

/// A folder that is removed when nobody holds it any more.
final class TemporaryFolder: Sendable {
  let url: URL

  init() throws {
    self.url = FileManager.default.temporaryDirectory
      .appending(component: "pictures-\(UInt64.random(in: 0...(.max)))")
    try FileManager.default.createDirectory(at: self.url, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: self.url)
  }

  var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: self.url.path()).sorted() }
  }
}
