import Fixture
import Testing

@testable import ImmutableUI

struct QueryTests {
  @Test(
    arguments: zip(
      ["a=1&b=2", "q=san+jos%C3%A9", "a", "a=", "=b", "a=b=c", "%zz=1", "a=%", "&&a=1&&", "%ff=1"],
      [
        [("a", "1"), ("b", "2")], [("q", "san josé")], [("a", "")], [("a", "")], [("", "b")],
        [("a", "b=c")], [("%zz", "1")], [("a", "%")], [("a", "1")], [("\u{fffd}", "1")],
      ]
    )
  )
  func `a URL's query always parses`(text: String, items: [(String, String)]) {
    let query = Query(text)

    #expect(query == Query(items.map { QueryItem(name: $0.0, value: $0.1) }))
  }

  @Test(arguments: ["a=%", "a=%4", "a=%zz", "a=%ff", "a=%00", "a=\0", "a=%c3%28"])
  func `a malformed form is rejected`(text: String) {
    #expect(Query(form: Array(text.utf8)) == nil)
  }

  @Test(arguments: [[0xC3] + Array("%A9".utf8), Array("%C3".utf8) + [0xA9], [0xC3]])
  func `a form with a truncated character is rejected`(bytes: [UInt8]) {
    #expect(Query(form: Array("a=".utf8) + bytes) == nil)
  }

  /// Comparing a name with 30,000 took seconds.
  @Test func `of marks only the first in a row are kept`() throws {
    let (marks, kept) = (String(repeating: "\u{301}\u{323}", count: 5_000), "\u{301}\u{323}")
    let item = QueryItem(name: "e\(marks)", value: "\(marks)a\(kept)")
    let few = String(repeating: kept, count: 64) + String(repeating: "\u{FFFD}", count: 9_872)
    let text = Query([item]).text

    let queries = [Query(text), try #require(Query(form: Array(text.utf8)))]

    for query in queries {
      #expect(query.items.map { Array($0.name.utf8) } == [Array("e\(few)".utf8)])
      #expect(query.items.map { Array($0.value.utf8) } == [Array("\(few)a\(kept)".utf8)])
    }
    #expect(Array(Query.decode(segment: text.prefix { $0 != "=" }).utf8) == Array("e\(few)".utf8))
  }

  @Test func `a query survives a round trip through text`() {
    let query = Query([
      QueryItem(name: "search", value: "é & = + % \"<>\" 猫\n"),
      QueryItem(name: "b c", value: "-_.*~"),
    ])

    #expect(Query(query.text) == query)
    #expect(Query(form: Array(query.text.utf8)) == query)
  }

  @Test func `changing a parameter keeps the others`() {
    let query = Query("search=a&order=reverse&selected=1")

    let changed = query.setting([
      QueryItem(name: "order", value: ""), QueryItem(name: "selected", value: "2"),
    ])

    #expect(changed.text == "search=a&selected=2")
  }

  @Test func `local state with its defaults has no query`() {
    #expect(FixtureContent.Local().query.items.isEmpty)
  }

  @Test(arguments: ["order=reverse&search=x", "search=x&order=reverse&order=forward&y=1"])
  func `equal local states have the same query`(text: String) {
    let local = FixtureContent.Local(Query(text))

    #expect(local.query.text == "search=x&order=reverse")
    #expect(FixtureContent.Local(local.query) == local)
  }

  @Test func `a value that does not parse is the default`() {
    #expect(FixtureContent.Local(Query("order=up")).order == .forward)
  }
}
