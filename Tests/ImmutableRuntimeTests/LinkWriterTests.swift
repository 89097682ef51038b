import HTMLTemplates
import ImmutableUI
import TestSupport
import Testing

@testable import ImmutableRuntime

struct LinkWriterTests {
  private static let names = ["a", "b", "c d", "é&<"]
  /// An empty value removes a parameter; a page has none.
  private static let values = ["", "1", "..", "x y/&\"", "猫'", "100%"]

  @Test(
    arguments: ["/items", "/it's&", "/items/:a", "/items/:a?", "/items/:a/:b?", "/:b?"],
    [1, 2, 3] as [UInt64])
  func `a link sets parameters of its page, whatever the link before has set`(
    pattern: String, seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    func items(_ count: Int, from values: [String] = Self.values) -> [QueryItem] {
      (0..<Int.random(in: 0...count, using: &random)).map { _ in
        QueryItem(
          name: Self.names.randomElement(using: &random) ?? "",
          value: values.randomElement(using: &random) ?? "")
      }
    }
    let path = PagePath(pattern)
    for _ in 0..<200 {
      let query = Query(
        [QueryItem(name: "a", value: "1")] + items(4, from: Array(Self.values.dropFirst())))
      var (links, writer, expected) = (LinkWriter(path: path, query: query), HTMLWriter(), "")
      for _ in 0..<20 {
        let (changes, target) = (items(3), Self.values.randomElement(using: &random))

        links.write(changes, target: target, into: &writer)

        expected += Self.link(from: query, at: path, setting: changes, target: target)
      }
      try #require(String(decoding: writer.bytes, as: UTF8.self) == expected)
    }
  }

  /// The link, without any shared work.
  private static func link(
    from query: Query, at path: PagePath, setting changes: [QueryItem], target: String?
  ) -> String {
    let query = query.setting(
      changes.filter { $0.value.isEmpty == false || path.required.contains($0.name) == false })
    let isShort = path.parameters.isEmpty && query.items.isEmpty == false
    let url = isShort ? "?\(query.text)" : path.url(query)
    var writer = HTMLWriter()
    writer.write(
      attribute: "href", url + (target.map { "#" + Query.encode($0, space: "%20") } ?? ""))
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}
