import Foundation
import Testing

@testable import DeveloperTools

struct PseudonymsTests {
  private let pseudonyms = Pseudonyms()

  @Test func `equal texts have equal pseudonyms, which differ between recordings`() {
    let text = "An otter that nobody else has"

    #expect(self.pseudonyms(text) == self.pseudonyms(text))
    #expect(self.pseudonyms(text) != text)
    #expect(self.pseudonyms(text) != Pseudonyms()(text))
    #expect(self.pseudonyms(text) != self.pseudonyms(text + "s"))
  }

  @Test(arguments: [
    "Red kangaroo", "Ährenmaus-7", "水獺 🦦", "выдра", "", "  ", "a\u{202E}b", "x@y.zz",
  ])
  func `a pseudonym keeps the length and punctuation of its text`(text: String) {
    let pseudonym = self.pseudonyms(text)

    #expect(pseudonym.unicodeScalars.map(UTF8.width) == text.unicodeScalars.map(UTF8.width))
    for (one, other) in zip(text.unicodeScalars, pseudonym.unicodeScalars) {
      #expect(CharacterSet.alphanumerics.contains(one) || one == other)
      #expect(
        one.isASCII == false
          || one.properties.generalCategory == other.properties.generalCategory)
    }
  }

  @Test func `a pseudonym repeats nothing, even if its text does`() {
    let pseudonym = Array(self.pseudonyms(String(repeating: "otter", count: 800)))

    let parts = Set(stride(from: 0, to: 4000, by: 40).map { pseudonym[$0..<$0 + 40] })

    #expect(pseudonym.count == 4000)
    #expect(parts.count == 100)
  }

  @Test func `pseudonyms derived from one parent by the same name are equal`() {
    let one = Pseudonyms(named: "one", of: self.pseudonyms)

    #expect(one("otter pup") == Pseudonyms(named: "one", of: self.pseudonyms)("otter pup"))
    #expect(one("otter pup") != Pseudonyms(named: "two", of: self.pseudonyms)("otter pup"))
  }
}
