import Foundation
import Pictures
import Testing

struct PictureTests {
  private static let hash = String(repeating: "0f", count: 32)

  @Test func `a picture survives being written and read`() throws {
    let picture = try #require(Picture(hash: Self.hash, kind: .webp, width: 2, height: 3))

    let json = try JSONEncoder().encode(picture)

    #expect(Picture(picture.description) == picture)
    #expect(try JSONDecoder().decode(Picture.self, from: json) == picture)
  }

  @Test(arguments: [
    "", "~~~", "../../etc/passwd~image/png~1~1", "\(Self.hash)~image/svg+xml~1~1",
    "\(Self.hash)~image/png~0~1", "\(Self.hash)~image/png~1~99999",
    "\(Self.hash.uppercased())~image/png~1~1", "\(Self.hash)0~image/png~1~1",
  ])
  func `text that is not a picture is rejected`(text: String) {
    #expect(Picture(text) == nil)
  }
}
