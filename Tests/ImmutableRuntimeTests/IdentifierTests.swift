import ImmutableRuntime
import Testing

struct IdentifierTests {
  @Test(arguments: 0..<50)
  func `an identifier survives a round trip through text`(_: Int) {
    let identifier = Identifier()

    #expect(identifier.text.count == 22)
    #expect(Identifier(identifier.text) == identifier)
  }

  @Test(arguments: ["", "x", "AAAAAAAAAAAAAAAAAAAAAB", "AAAAAAAAAAAAAAAAAAAAA=", "ÄÄÄÄÄÄÄÄÄÄÄ"])
  func `text that is not an identifier is rejected`(text: String) {
    #expect(Identifier(text) == nil)
  }
}
