import PlainText
import Testing

struct IsolatedTextTests {
  @Test(arguments: ["", "Dog", "12 Ωmega", "犬"]) func `text from left to right stays as it is`(
    _ text: String
  ) {
    #expect(text.isolated == text)
  }

  @Test(arguments: ["כלב", "123 כלב", "Dog (كلب)", "\u{1E900}"])
  func `text with letters from right to left is isolated`(_ text: String) {
    #expect(text.isolated == "\u{2068}\(text)\u{2069}")
  }
}
