import Pictures
import TestSupport
import Testing

struct PictureHeaderTests {
  @Test(arguments: [
    (Sample.png(640, 480), Picture.Kind.png, 640, 480),
    (Sample.gif(640, 480), .gif, 640, 480),
    (Sample.lossyWebP(640, 480), .webp, 640, 480),
    (Sample.losslessWebP(640, 480), .webp, 640, 480),
    (Sample.extendedWebP(640, 480), .webp, 640, 480),
    (Sample.jpeg(640, 480), .jpeg, 640, 480),
    (Sample.jpeg(640, 480, orientation: 3), .jpeg, 640, 480),
    (Sample.jpeg(640, 480, orientation: 6), .jpeg, 480, 640),
    (Sample.jpeg(640, 480, orientation: 6, Sample.xmp), .jpeg, 480, 640),
    (Sample.jpeg(640, 480, orientation: 6, Sample.exif(1)), .jpeg, 480, 640),
    (Sample.jpeg(640, 480, orientation: 1, Sample.exif(6)), .jpeg, 640, 480),
  ])
  func `a header gives kind, width and height`(
    bytes: [UInt8], kind: Picture.Kind, width: Int, height: Int
  ) throws {
    let header = try #require(PictureHeader(bytes))

    #expect((header.kind, header.width, header.height) == (kind, width, height))
    #expect(header.isAllowed)
  }

  @Test(arguments: [
    "<svg xmlns=\"http://www.w3.org/2000/svg\"><script>alert(1)</script></svg>",
    "<!doctype html><script>alert(1)</script>", "GIF", "RIFF\0\0\0\0WAVEfmt ", "", "BM6",
  ])
  func `any other file is not a picture`(text: String) {
    #expect(PictureHeader(Array(text.utf8)) == nil)
  }

  @Test(arguments: [
    Sample.png(16_385, 1), Sample.png(1, 16_385), Sample.png(16_000, 16_000), Sample.png(0, 1),
    Sample.png(0xFFFF_FFFF, 0xFFFF_FFFF), Sample.jpeg(65_535, 65_535), Sample.gif(0, 0),
  ])
  func `a picture with too many pixels is not allowed`(bytes: [UInt8]) throws {
    #expect(try #require(PictureHeader(bytes)).isAllowed == false)
  }

  @Test(arguments: [
    Sample.png(640, 480), Sample.gif(640, 480), Sample.lossyWebP(640, 480),
    Sample.jpeg(640, 480, orientation: 6),
  ])
  func `broken files are read safely`(bytes: [UInt8]) {
    let seed = UInt64.random(in: 0...(.max))
    var generator = SeededGenerator(seed: seed)
    for count in bytes.indices { _ = PictureHeader(Array(bytes.prefix(count))) }
    for _ in 0..<2_000 {
      var broken = bytes
      for _ in 0..<Int.random(in: 1...6, using: &generator) {
        let index = Int.random(in: 2..<broken.count, using: &generator)
        broken[index] = UInt8.random(in: 0...(.max), using: &generator)
      }

      let header = PictureHeader(broken)

      #expect(header.map { $0.width >= 0 && $0.height >= 0 } ?? true, "seed \(seed)")
    }
  }
}
