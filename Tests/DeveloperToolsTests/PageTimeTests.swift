import Foundation
import Testing

@testable import DeveloperTools

struct PageTimeTests {
  @Test(arguments: [
    "Asia/Tokyo", "GMT+0530", "Asia/Tokyo,2026-11-24T10:00:00Z",
    "Asia/Tokyo,2026-11-24T10:00:00Z,ann", "Asia/Tokyo,,ann",
  ])
  func `a time survives a round trip through text`(text: String) throws {
    #expect(try #require(PageTime(text)).description == text)
  }

  @Test(arguments: [
    "", "Nowhere", "GMT+5:30", "Asia/Tokyo\0", "Asia/Tokyo,", "Asia/Tokyo,now",
    "Asia/Tokyo,now,ann",
  ])
  func `other text, and other spellings of a zone, are rejected`(text: String) {
    #expect(PageTime(text) == nil)
  }
}
