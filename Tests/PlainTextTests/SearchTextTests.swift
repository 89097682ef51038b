import Foundation
import Testing

@testable import PlainText

struct SearchTextTests {
  @Test(arguments: [
    ("Alaska", "", "Alaska"), ("Alaska", "la", "A[la]ska"), ("Alaska", "A", "[A]l[a]sk[a]"),
    ("Alaska", "x", "Alaska"), ("Alaska", "alaskan", "Alaska"), ("aaa", "aa", "[aa]a"),
    ("aaaabaab", "aab", "aa[aab][aab]"), ("aaaa", "aab", "aaaa"),
    ("San José, Costa Rica", "jose", "San [José], Costa Rica"),
    ("Jose\u{301}", "e", "Jos[e\u{301}]"),
    ("", "a", ""), ("Straße", "SS", "Stra[ß]e"),
  ])
  func `matches are separated from the text around them`(
    text: String, search: String, marked: String
  ) {
    let parts = SearchText(search).parts(of: text)

    #expect(parts.map { $0.isFound ? "[\($0.text)]" : $0.text }.joined() == marked)
    #expect(parts.map(\.text).joined() == text)
    #expect(parts.allSatisfy { $0.text.isEmpty == false })
  }

  @Test(arguments: [
    ("", true), ("EMU", true), ("m\u{302}", true), ("Ém", true), ("u A", true), ("emu ", true),
    ("emua", false), (" emu", false),
  ])
  func `a search ignores case and accents, but not white space`(text: String, isFound: Bool) {
    #expect(SearchText(text).finds("E\u{301}mu Añb") == isFound)
  }

  @Test(arguments: [
    "San Francisco, CALIFORNIA", "aAbaAbaAc", "z@[`{Z", "Čtyři José e\u{301}", "", "İstanbul ǅ",
  ])
  func `a search finds what is in the folded text, and nothing else`(text: String) {
    let folded = Array(FoldedText(text).bytes)
    let parts = ["", "a", "AB", "abaac", "@", "[", "{", "Z@", "jos", "É", "i", "dž", " ", ", cal"]
    for part in parts + [text, text.uppercased()] {
      let wanted = FoldedText(part).bytes
      let isThere = wanted.isEmpty || folded.firstRange(of: wanted) != nil
      #expect(SearchText(part).finds(text) == isThere, "\(part) in \(text)")
    }
  }

  @Test func `searches that find the same are equal`() {
    #expect(SearchText("ÉMU") == SearchText("emu"))
    #expect(SearchText("ÉMU").hashValue == SearchText("emu").hashValue)
    #expect(SearchText("emu") != SearchText("em"))
    #expect(SearchText("E\u{301}").text.unicodeScalars.elementsEqual("\u{C9}".unicodeScalars))
  }

  @Test(arguments: [
    String(repeating: "x", count: 201), "e" + String(repeating: "\u{301}", count: 400),
  ])
  func `a text that is too long is no search`(text: String) {
    #expect(SearchText(text).isEmpty)
    #expect(SearchText(text).text == "")
  }
}
