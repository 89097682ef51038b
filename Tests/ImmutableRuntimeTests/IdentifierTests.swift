import ImmutableRuntime
import Testing

struct IdentifierTests {
  @Test(arguments: 0..<50)
  func `an identifier's text is read again`(_: Int) {
    let identifier = Identifier()

    #expect(identifier.text.count == 22)
    #expect(Identifier(identifier.text) == identifier)
  }

  @Test(arguments: ["", "x", "AAAAAAAAAAAAAAAAAAAAAB", "AAAAAAAAAAAAAAAAAAAAA=", "ÄÄÄÄÄÄÄÄÄÄÄ"])
  func `what is no identifier is none`(text: String) {
    #expect(Identifier(text) == nil)
  }
}
