import Testing

@testable import HTMLTemplates

struct EscapingTests {
  @Test func `a quotation mark with a combining mark on it is escaped`() {
    var writer = HTMLWriter()

    writer.escape("\"\u{301}<")

    #expect(String(decoding: writer.bytes, as: UTF8.self) == "&quot;\u{301}&lt;")
  }
}
