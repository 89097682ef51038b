import Foundation
import HTMLTemplates
import Testing

// docs/TEMPLATES.md, *Tags*.

struct Address: Sendable {
  var city: String
}

struct Cart: Sendable {
  var shop = "Fish & Chips"
  var hint: String?
  var isOpen = true
  var items = ["Cod", "Salt"]
  var address: Address? = Address(city: "Hull")

  static let slots: Slots<Self> = [
    .text("shop") { $0.shop },
    .text("count") { $0.items.count },
    .optionalText("hint") { $0.hint },
    .flag("isOpen") { $0.isOpen },
    .each("items", [.text("name") { $0 }]) { $0.items },
    .optional("address", [.text("city") { $0.city }]) { $0.address },
    .html("icon") { _ in "<svg></svg>" },
  ]
}

struct TemplateSnippetTests {
  private static let partials = [
    "Shop/Price": "Price: {{count}}",
    "Shop/Box": "<b>{{$body}}Empty{{/body}}</b>",
  ]

  /// The template and what it writes, of each row of the table.
  private static func examples() throws -> [(template: String, html: String)] {
    let url = URL(filePath: #filePath).appending(path: "../../../docs/TEMPLATES.md").standardized
    let text = try String(contentsOf: url, encoding: .utf8)
    return text.matches(of: /(?m)^\| `([^`]+)` \| `([^`]+)` \| [A-Z][^|]+ \|$/)
      .map { (String($0.output.1), String($0.output.2)) }
  }

  @Test func `the tags of docs/TEMPLATES.md write what it says`() throws {
    let examples = try Self.examples()

    #expect(examples.count == 11)
    for example in examples {
      let library = TemplateLibrary(
        sources: Self.partials.merging(["Example": example.template]) { $1 }
      )
      var writer = HTMLWriter()
      try library.compile("Example", Cart.slots).render(Cart(), into: &writer)
      #expect(String(decoding: writer.bytes, as: UTF8.self) == example.html)
    }
  }
}
