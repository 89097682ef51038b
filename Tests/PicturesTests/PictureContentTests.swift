import TestSupport
import Testing

@testable import Pictures

struct PictureContentTests {
  private static let secret = Array("52.5N 13.4E".utf8)

  /// What is kept of a file.
  private static func kept(_ bytes: [UInt8]) -> [UInt8]? {
    let read = { (offset: Int, count: Int) in Array(bytes.dropFirst(offset).prefix(count)) }
    guard let header = try? PictureHeader(read),
      let content = try? PictureContent(header.kind, read)
    else { return nil }
    return content.parts.flatMap { part in
      switch part {
      case .range(let range): Array(bytes[range])
      case .bytes(let bytes): bytes
      }
    }
  }

  @Test(arguments: [
    Sample.png(640, 480), Sample.gif(640, 480), Sample.lossyWebP(640, 480),
    Sample.losslessWebP(640, 480), Sample.jpeg(640, 480),
  ])
  func `a file without metadata stays unchanged`(bytes: [UInt8]) {
    #expect(Self.kept(bytes) == bytes)
  }

  @Test func `text chunks are removed from a PNG file`() {
    let bytes = Sample.png(640, 480)
    let start = bytes.prefix(33)
    let texts = ["tEXt", "iTXt", "zTXt", "eXIf", "teST"].flatMap { Sample.chunk($0, Self.secret) }

    #expect(Self.kept([UInt8](start) + texts + bytes.dropFirst(33)) == bytes)
  }

  @Test func `metadata except color profile and orientation is removed from a JPEG file`() {
    let bytes = Sample.jpeg(640, 480)
    let more = [0xE1, 0xE2, 0xE3, 0xED, 0xEF, 0xFE].flatMap { Sample.segment($0, Self.secret) }
    let colors = Sample.segment(0xE2, Array("ICC_PROFILE\0".utf8) + [1, 1, 7])

    #expect(Self.kept([UInt8](bytes.prefix(2)) + more + bytes.dropFirst(2)) == bytes)
    let colored = [UInt8](bytes.prefix(2)) + colors + bytes.dropFirst(2)
    #expect(Self.kept(colored) == colored)
  }

  @Test(arguments: 2...8)
  func `a photograph keeps its orientation`(orientation: Int) throws {
    let bytes = Sample.jpeg(640, 480, orientation: orientation)

    let kept = try #require(Self.kept(bytes))

    #expect(PictureHeader(kept) == PictureHeader(bytes))
    #expect(Self.kept(kept) == kept)
  }

  @Test(arguments: [
    Sample.jpeg(640, 480, orientation: 6, Sample.xmp),
    Sample.jpeg(640, 480, Sample.xmp + Sample.exif(6)),
    Sample.jpeg(640, 480, orientation: 6, Sample.exif(3)),
    Sample.jpeg(640, 480, orientation: 1, Sample.exif(6)),
    Sample.jpeg(640, 480, Sample.segment(0xC4, [1]) + Sample.exif(6)),
  ])
  func `a photograph with more metadata keeps its size and orientation`(bytes: [UInt8]) throws {
    let kept = try #require(Self.kept(bytes))

    #expect(PictureHeader(kept) == PictureHeader(bytes))
  }

  @Test func `comments are removed from a GIF file, and it still loops`() {
    let bytes = Sample.gif(640, 480)
    let repeats: [UInt8] = [0x21, 0xFF, 11] + Array("NETSCAPE2.0".utf8) + [3, 1, 0, 0, 0]
    let comment: [UInt8] = [0x21, 0xFE, 11] + Self.secret + [0]
    let other: [UInt8] = [0x21, 0xFF, 11] + Array("XMP DataXMP".utf8) + [11] + Self.secret + [0]

    let start = [UInt8](bytes.prefix(13))
    #expect(
      Self.kept(start + comment + repeats + other + bytes.dropFirst(13))
        == start + repeats + bytes.dropFirst(13))
  }

  @Test func `Exif and XMP are removed from a WebP file, and their flags cleared`() {
    let pixels = Sample.webPChunk("VP8L", [0x2F, 0, 0, 0, 0])
    let more = Sample.webPChunk("EXIF", Self.secret) + Sample.webPChunk("XMP ", Self.secret)
    let bytes = Sample.extendedWebP(640, 480, flags: 0b0001_1100, pixels + more)

    #expect(Self.kept(bytes) == Sample.extendedWebP(640, 480, flags: 0b0001_0000, pixels))
  }

  @Test(arguments: [
    Sample.png(640, 480), Sample.gif(640, 480), Sample.lossyWebP(640, 480), Sample.jpeg(640, 480),
  ])
  func `bytes after the end are removed`(bytes: [UInt8]) {
    #expect(Self.kept(bytes + Self.secret) == bytes)
  }

  @Test(arguments: [
    Sample.png(640, 480), Sample.gif(640, 480), Sample.lossyWebP(640, 480),
    Sample.extendedWebP(640, 480, Sample.webPChunk("VP8L", [0x2F, 0, 0, 0, 0])),
  ])
  func `a truncated file is not a picture`(bytes: [UInt8]) {
    for count in bytes.indices { #expect(Self.kept(Array(bytes.prefix(count))) == nil) }
  }

  @Test(arguments: [
    Sample.png(640, 480), Sample.gif(640, 480), Sample.lossyWebP(640, 480),
    Sample.extendedWebP(640, 480, Sample.webPChunk("VP8L", [0x2F, 0, 0, 0, 0])),
    Sample.jpeg(640, 480, orientation: 6),
  ])
  func `broken files are read safely, and their output does not grow`(bytes: [UInt8]) {
    let seed = UInt64.random(in: 0...(.max))
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<2_000 {
      var broken = bytes
      for _ in 0..<Int.random(in: 1...6, using: &generator) {
        let index = Int.random(in: 2..<broken.count, using: &generator)
        broken[index] = UInt8.random(in: 0...(.max), using: &generator)
      }
      if Bool.random(using: &generator) {
        broken.removeLast(Int.random(in: 0..<broken.count, using: &generator))
      }

      let kept = Self.kept(broken)

      // Where Exif was shorter than it has to be, it is as long as it has to be.
      #expect(kept.map { $0.count <= broken.count + 36 } ?? true, "seed \(seed)")
    }
  }
}
