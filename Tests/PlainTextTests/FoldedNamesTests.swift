import Testing

@testable import PlainText

struct FoldedNamesTests {
  private static let limit = 4 << 20
  private let names = FoldedNames(byteLimit: Self.limit)

  @Test func `each name is folded as by itself, also the second time`() {
    for name in ["San José", "猫", "SAN JOSÉ", "San Jose\u{301}", "San José"] {
      #expect(self.names.fold(name) == FoldedText(name))
    }

    #expect(self.names.count == 3)  // Two of them are the same text, composed differently.
  }

  @Test func `names are kept up to a number of bytes`() {
    self.search("é", 40_000)

    #expect(self.names.count < 35_000)
    let count = self.names.count
    let long = String(repeating: "é", count: Self.limit)
    #expect(self.names.fold(long) == FoldedText(long))
    #expect(self.names.count == count)
  }

  @Test func `a search of more names than are kept finds those again that are`() {
    for _ in 0..<2 { self.search("é", 60_000) }

    #expect((0..<60_000).count { self.names.find("é\($0)") != nil } == self.names.count)
    #expect(self.names.count > 20_000)
    #expect(self.names.find("é0") != nil)
  }

  @Test func `names that are gone make room`() {
    self.search("é", 40_000)
    #expect(self.names.find("ü0") == nil)

    for _ in 0..<20 where self.names.find("ü0") == nil { self.search("ü", 20_000) }

    #expect(self.names.find("ü0") != nil)
    #expect(self.names.find("é0") == nil)
  }

  @Test func `searches at the same time keep each name once`() async {
    await withTaskGroup { group in
      for _ in 0..<8 { group.addTask { self.search("é", 1_000) } }
    }

    let bytes = self.names.bytes
    #expect(self.names.count == 1_000)
    let other = FoldedNames(byteLimit: Self.limit)
    for number in 0..<1_000 { _ = other.fold("é\(number)") }
    #expect(bytes == other.bytes)
  }

  private func search(_ prefix: String, _ count: Int) {
    for number in 0..<count { _ = self.names.fold("\(prefix)\(number)") }
    #expect(self.names.bytes <= Self.limit)
  }
}
