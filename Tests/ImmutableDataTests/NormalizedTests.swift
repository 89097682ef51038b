import Foundation
import Testing

@testable import ImmutableData

struct NormalizedTests {
  /// For these, the slow conversion is skipped.
  @Test(arguments: [1...0x2FF, 0x400...0x47F, 0x4000...0x9FFF] as [ClosedRange<UInt32>])
  func `characters that are always composed stay as they are`(_ range: ClosedRange<UInt32>) {
    var scalars = String.UnicodeScalarView()
    scalars.append(contentsOf: range.compactMap { Unicode.Scalar($0) })
    let text = String(scalars)

    #expect(text.normalized.utf8.elementsEqual(text.utf8))
    #expect(text.precomposedStringWithCanonicalMapping.utf8.elementsEqual(text.utf8))
  }

  @Test(arguments: ["e\u{301}", "и\u{306}", "漢e\u{301}", "\u{212B}", "\u{F900}"])
  func `other characters are composed`(_ text: String) {
    let composed = text.precomposedStringWithCanonicalMapping

    #expect(composed.utf8.elementsEqual(text.utf8) == false)
    #expect(text.normalized.utf8.elementsEqual(composed.utf8))
  }
}
