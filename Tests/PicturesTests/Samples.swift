import Foundation

@testable import Pictures

/// Files of each kind, as far as their headers go.
enum Sample {
  static func png(_ width: Int, _ height: Int) -> [UInt8] {
    [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)
      + big(width, 4) + big(height, 4) + [8, 6, 0, 0, 0] + [1, 2, 3, 4]
      + self.chunk("IDAT", [5, 6, 7]) + self.chunk("IEND", [])
  }

  /// A PNG file that can be decoded: its left half is transparent, its right half red.
  static func drawnPNG(_ width: Int, _ height: Int) -> [UInt8] {
    let row = (0..<width).flatMap { x in
      x < width / 2 ? [0, 0, 0, 0] : [255, 0, 0, 255] as [UInt8]
    }
    let pixels = [[UInt8]](repeating: [0] + row, count: height).flatMap(\.self)
    // RFC 1950 and 1951: blocks that are stored as they are.
    var stored: [UInt8] = [0x78, 0x01]
    for start in stride(from: 0, to: pixels.count, by: 65_535) {
      let block = pixels[start..<min(start + 65_535, pixels.count)]
      let isLast = block.endIndex == pixels.count
      stored += [isLast ? 1 : 0] + little(block.count, 2) + little(~block.count & 0xFFFF, 2) + block
    }
    var (a, b) = (1, 0)
    for byte in pixels { (a, b) = ((a + Int(byte)) % 65_521, (b + a + Int(byte)) % 65_521) }
    stored += big(b << 16 | a, 4)
    let header = big(width, 4) + big(height, 4) + [8, 6, 0, 0, 0]
    return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + self.checkedChunk("IHDR", header)
      + self.checkedChunk("IDAT", stored) + self.checkedChunk("IEND", [])
  }

  private static func checkedChunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
    let body = Array(name.utf8) + content
    var sum: UInt32 = 0xFFFF_FFFF
    for byte in body {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum >> 1 ^ (sum & 1 == 1 ? 0xEDB8_8320 : 0) }
    }
    return big(content.count, 4) + body + big(Int(~sum), 4)
  }

  static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
    self.big(content.count, 4) + Array(name.utf8) + content + [1, 2, 3, 4]
  }

  static func gif(_ width: Int, _ height: Int) -> [UInt8] {
    Array("GIF89a".utf8) + little(width, 2) + little(height, 2) + [0, 0, 0]
      + [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x4C, 1, 0, 0x3B]
  }

  static func lossyWebP(_ width: Int, _ height: Int) -> [UInt8] {
    let frame: [UInt8] = [0, 0, 0, 0x9D, 0x01, 0x2A] + little(width, 2) + little(height, 2)
    return self.webP(self.webPChunk("VP8 ", frame))
  }

  static func losslessWebP(_ width: Int, _ height: Int) -> [UInt8] {
    let bits = little((width - 1) | (height - 1) << 14, 4)
    return self.webP(self.webPChunk("VP8L", [0x2F] + bits + [0, 0, 0, 0, 0]))
  }

  static func extendedWebP(
    _ width: Int,
    _ height: Int,
    flags: UInt8 = 0,
    _ more: [UInt8] = []
  ) -> [UInt8] {
    let size = little(width - 1, 3) + little(height - 1, 3)
    return self.webP(self.webPChunk("VP8X", [flags, 0, 0, 0] + size) + more)
  }

  static func webPChunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
    Array(name.utf8) + little(content.count, 4) + content
      + (content.count.isMultiple(of: 2) ? [] : [0])
  }

  private static func webP(_ chunks: [UInt8]) -> [UInt8] {
    Array("RIFF".utf8) + little(chunks.count + 4, 4) + Array("WEBP".utf8) + chunks
  }

  /// XMP, which has the marker of Exif.
  static var xmp: [UInt8] {
    self.segment(0xE1, Array("http://ns.adobe.com/xap/1.0/\0<x:xmpmeta/>".utf8))
  }

  /// - Parameters:
  ///   - orientation: As Exif has it; `nil` without Exif.
  ///   - more: The segments between Exif and the size.
  static func jpeg(
    _ width: Int,
    _ height: Int,
    orientation: Int? = nil,
    _ more: [UInt8] = []
  ) -> [UInt8] {
    var bytes: [UInt8] = [0xFF, 0xD8]
    bytes += self.segment(0xE0, Array("JFIF\0".utf8) + [1, 1, 0, 0, 1, 0, 1, 0, 0])
    if let orientation { bytes += self.exif(orientation) }
    bytes += more
    bytes += self.segment(0xC2, [8] + big(height, 2) + big(width, 2) + [3])
    return bytes + self.segment(0xDA, [1, 2, 3]) + [9, 0xFF, 0, 9, 0xFF, 0xD0, 9, 0xFF, 0xD9]
  }

  static func exif(_ orientation: Int) -> [UInt8] {
    let tiff =
      Array("MM".utf8) + big(42, 2) + big(8, 4) + big(1, 2)
      + big(274, 2) + big(3, 2) + big(1, 4) + big(orientation, 2) + [0, 0]
    return self.segment(0xE1, Array("Exif".utf8) + [0, 0] + tiff)
  }

  static func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
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
      .appending(component: "pictures a ü \(UInt64.random(in: 0...(.max)))")
    try FileManager.default.createDirectory(at: self.url, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: self.url)
  }

  var names: [String] {
    get throws {
      let path = self.url.path(percentEncoded: false)
      return try FileManager.default.contentsOfDirectory(atPath: path).sorted()
    }
  }
}
