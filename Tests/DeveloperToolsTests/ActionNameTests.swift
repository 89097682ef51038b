import HTMLTemplates
import Testing

@testable import DeveloperTools

struct ActionNameTests {
  @Test(arguments: [
    (
      "ui.animalList.onAppear",
      "<span class=\"cases\">ui.<wbr>animal<wbr>List.</span><wbr><strong>on<wbr>Appear</strong>"
    ),
    ("a.didFetchURL", "<span class=\"cases\">a.</span><wbr><strong>did<wbr>Fetch<wbr>URL</strong>"),
    ("didTap", "<strong>did<wbr>Tap</strong>"),
    ("x<y", "<strong>x&lt;y</strong>"),
    ("", "<strong></strong>"),
  ])
  func `the last case of an action stands out, and lines break between words`(
    name: String, html: String
  ) {
    var writer = HTMLWriter()

    writer.write(actionName: name)

    #expect(String(decoding: writer.bytes, as: UTF8.self) == html)
  }
}
