import Foundation
import Testing

@testable import ImmutableData

/// The slow conversion is skipped where it would change nothing, and only there.
struct NormalizedTests {
  private static let characters = (1...0x1FFFF as ClosedRange<UInt32>).compactMap {
    Unicode.Scalar($0)
  }

  private func isRight(_ text: String) -> Bool {
    text.normalized.utf8.elementsEqual(text.precomposedStringWithCanonicalMapping.utf8)
  }

  @Test func `every character is normalized, composed and decomposed`() {
    let wrong = Self.characters.filter { character in
      let text = String(character)
      return self.isRight(text) == false
        || self.isRight(text.decomposedStringWithCanonicalMapping) == false
    }

    #expect(wrong == [])
  }

  @Test func `marks are put into their order`() {
    let marks = Self.characters.filter {
      $0.value < 0x1000 && $0.properties.canonicalCombiningClass != .notReordered
    }

    for first in marks {
      let wrong = marks.filter { self.isRight("а\(first)\($0)") == false }
      #expect(wrong == [], "after \(first.value)")
    }
  }

  @Test(
    arguments: [
      1...0x2FF, 0x400...0x47F, 0x531...0x556, 0x5D0...0x5EA, 0x620...0x64A, 0xE01...0xE3A,
      0x3041...0x3096, 0x4000...0x9FFF, 0xAC00...0xD7A3, 0x1F300...0x1F6FF,
    ] as [ClosedRange<UInt32>])
  func `letters in a row stay as they are`(_ range: ClosedRange<UInt32>) {
    var scalars = String.UnicodeScalarView()
    scalars.append(contentsOf: range.compactMap { Unicode.Scalar($0) })

    #expect(self.isRight(String(scalars)))
  }

  @Test(arguments: ["e\u{301}", "и\u{306}", "漢e\u{301}", "\u{212B}", "\u{F900}", "か\u{3099}"])
  func `other characters are composed`(_ text: String) {
    let composed = text.precomposedStringWithCanonicalMapping

    #expect(composed.utf8.elementsEqual(text.utf8) == false)
    #expect(text.normalized.utf8.elementsEqual(composed.utf8))
  }
}
