import Testing

@testable import PlainText

struct FoldedNamesTests {
  @Test func `each name is folded as by itself, also the second time`() {
    var names = FoldedNames()

    for name in ["San José", "猫", "SAN JOSÉ", "San Jose\u{301}", "San José"] {
      #expect(names.fold(name) == FoldedText(name))
    }

    #expect(names.count == 3)  // Two of them are the same text, composed differently.
  }

  @Test func `names are kept up to a number of bytes`() {
    var names = FoldedNames()

    for number in 0..<40_000 {
      #expect(names.fold("é\(number)") == FoldedText("é\(number)"))
      #expect(names.bytes <= FoldedNames.byteLimit)
    }
    #expect(names.count < 35_000)
    let count = names.count
    let long = String(repeating: "é", count: FoldedNames.byteLimit)
    #expect(names.fold(long) == FoldedText(long))
    #expect(names.count == count)
  }
}
