import Foundation
import Testing

@testable import PlainText

struct FoldedTextTests {
  /// Each character beside others, and all of them in one text.
  @Test(
    arguments: [1...0x2FF, 0x400...0x47F, 0x4E00...0x4E80, 0x9F80...0x9FFF] as [ClosedRange<UInt32>]
  )
  func `characters that are folded by themselves are folded as Foundation folds the text`(
    _ range: ClosedRange<UInt32>
  ) {
    let characters = range.compactMap { Unicode.Scalar($0) }

    for character in characters {
      for text in ["\u{E9}\(character)", "\(character)S", "i\(character)\u{419}"] {
        #expect(FoldedText(text).bytes == Self.folded(text), "\(character.value)")
      }
    }
    let all = String(String.UnicodeScalarView(characters))
    #expect(FoldedText(all).bytes == Self.folded(all))
  }

  @Test(arguments: [
    "Jose\u{301}", "ΟΔΟΣ", "Ὀδυσσεύς", "กิ่ง", "\u{1F43B}\u{200D}\u{2744}\u{FE0F}", "한글", "\u{F900}",
    "é\u{301}",
    "i\u{307}", "ﬀ",
  ])
  func `other texts are folded as before`(_ text: String) {
    #expect(FoldedText(text).bytes == Self.folded(text))
  }

  private static func folded(_ text: String) -> [UInt8] {
    Array(
      text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
        .decomposedStringWithCanonicalMapping.utf8
    )
  }
}
