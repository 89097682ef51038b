import ImmutableUI
import Testing

struct JoinedTextsTests {
  @Test(arguments: [
    (["Dog"], "Dog"), (["delete", "Dog"], "delete~Dog"), (["move", "Dog", "", ""], "move~Dog~~"),
    (["a~b", "100%"], "a%7Eb~100%25"), (["%7E", "~%25", "%257E"], "%257E~%7E%2525~%25257E"),
    (["~\u{301}", "e\u{301}~"], "%7E\u{301}~e\u{301}%7E"),
  ])
  func `texts are joined and taken apart again`(texts: [String], joined: String) {
    #expect(String(joining: texts) == joined)
    #expect(joined.joinedTexts == texts)
  }
}
