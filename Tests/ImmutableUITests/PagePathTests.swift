import TestSupport
import Testing

@testable import ImmutableUI

struct PagePathTests {
  private static let pattern = PagePath("/animals/:animal?")

  private static func query(_ items: KeyValuePairs<String, String>) -> Query {
    Query(items.map { QueryItem(name: $0.key, value: $0.value) })
  }

  @Test(arguments: [
    ("/animals", ""),
    ("/animals/dog", "animal=dog"),
    ("/animals/red%20kangaroo", "animal=red+kangaroo"),
    ("/animals/a+b", "animal=a%2Bb"),
    ("/animals/a%2Fb", "animal=a%2Fb"),
    ("/animals/%zz", "animal=%25zz"),
  ])
  func `a path gives its parameters`(path: String, query: String) throws {
    #expect(Query(try #require(Self.pattern.match(path))).text == query)
  }

  @Test(arguments: [
    "/", "/animals/", "/animals/dog/", "/animals/dog/cat", "/animal", "animals", "",
  ])
  func `a different path does not match the page`(path: String) {
    #expect(Self.pattern.match(path) == nil)
  }

  @Test(
    arguments: [
      (["animal": "dog"], "/animals/dog"),
      (["search": "a b", "animal": "dog"], "/animals/dog?search=a+b"),
      (["search": "a"], "/animals?search=a"),
      (["animal": "a/b?c#d e"], "/animals/a%2Fb%3Fc%23d%20e"),
      // Browsers take these away from a path, escaped or not.
      (["animal": "."], "/animals?animal=."),
      (["animal": ".."], "/animals?animal=.."),
      (["animal": "dog", "animal": "cat"], "/animals?animal=dog&animal=cat"),
      ([:], "/animals"),
    ] as [(KeyValuePairs<String, String>, String)])
  func `local state has one URL`(items: KeyValuePairs<String, String>, url: String) {
    #expect(Self.pattern.url(Self.query(items)) == url)
  }

  @Test func `the root can have a parameter`() {
    let path = PagePath("/:animal?")

    #expect(path.match("/") == [])
    #expect(path.match("/dog") == [QueryItem(name: "animal", value: "dog")])
    #expect(path.match("/dog/") == nil)
    #expect(PagePath("/:animal").match("/") == nil)
    #expect(path.url(Query()) == "/")
    #expect(path.url(Self.query(["search": "a"])) == "/?search=a")
    #expect(path.url(Self.query(["animal": "dog"])) == "/dog")
    #expect(path.withoutParameters == "/")
    #expect(path.overlaps(PagePath("/")))
  }

  @Test func `parameters after a missing one go in the query`() {
    let path = PagePath("/zoo/:house?/:animal?")

    #expect(path.url(Self.query(["animal": "dog"])) == "/zoo?animal=dog")
    #expect(path.url(Self.query(["animal": "dog", "house": "b"])) == "/zoo/b/dog")
    #expect(path.withoutParameters == "/zoo")
    #expect(PagePath("/zoo/:house").withoutParameters == nil)
  }

  @Test func `only a query with all required parameters has a URL`() {
    let path = PagePath("/zoo/:house/:animal?")

    #expect(path.isComplete(Self.query(["house": "b"])))
    #expect(path.isComplete(Self.query(["animal": "dog"])) == false)
    // A path cannot contain it.
    #expect(path.isComplete(Self.query(["house": ".."])) == false)
    #expect(path.required == ["house"])
  }

  @Test func `a path has no characters that browsers escape`() async {
    await #expect(processExitsWith: .failure) { _ = PagePath("/eink\u{E4}ufe") }
    await #expect(processExitsWith: .failure) { _ = PagePath("/shopping list/:item?") }
  }

  @Test(arguments: [
    ("/a", "/b", false), ("/a", "/a", true), ("/a", "/a/:x", false), ("/a", "/a/:x?", true),
    ("/a/b", "/a/:x", true), ("/:x", "/a", true), ("/a/:x/b", "/a/:y/c", false),
    ("/a/:x/b", "/a/:y", false), ("/a/:x?/:y?", "/a/b", true), ("/a/:x?", "/b/:x?", false),
  ])
  func `paths overlap when one URL matches both`(one: String, two: String, expected: Bool) {
    #expect(PagePath(one).overlaps(PagePath(two)) == expected)
    #expect(PagePath(two).overlaps(PagePath(one)) == expected)
  }

  @Test(arguments: [.random(in: 0...(.max)), 1] as [UInt64])
  func `any local state survives a round trip through its URL`(seed: UInt64) throws {
    let path = PagePath("/zoo/in/:house?/:animal?")
    #expect(path.match("/zoo/in/b/c") != nil)
    var random = SeededGenerator(seed: seed)
    let letters = ["", ".", "..", "a", "/", "?", "#", "%", "+", " ", "é", "\u{0}", "%2F", "&", "="]
    for _ in 0..<2_000 {
      let items = ["house", "animal", "search"].shuffled(using: &random).compactMap { name in
        Bool.random(using: &random)
          ? QueryItem(
            name: name,
            value: (0..<3).map { _ in letters.randomElement(using: &random)! }.joined()
          ) : nil
      }.filter { $0.value.isEmpty == false }

      let url = path.url(Query(items))

      let parts = url.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
      let matched = try #require(path.match(String(parts[0])), "\(url)")
      let all = matched + Query(parts.dropFirst().first ?? "").items
      #expect(Set(all) == Set(items), "\(url)")
      #expect(path.items(of: Query(all)) == matched, "\(url)")
    }
  }
}
