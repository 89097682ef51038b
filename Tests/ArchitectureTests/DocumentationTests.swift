import Foundation
import Testing

/// What documents print is a part of a file that compiles: of the snippets in Tests/DocumentationSnippets, or
/// of a product. What README.md prints as whole files, test_readme.py builds and runs.
struct DocumentationTests {
  @Test func `what documents print compiles`() throws {
    let compiled = try Self.compiled()
    var count = 0

    for document in try Self.documents() {
      let fragments = try Self.fragments(of: Project.text(of: document))
      count += fragments.count
      let unknown = fragments.filter { fragment in
        // Parts that the document shortens or joins are separated by an empty line.
        fragment.components(separatedBy: "\n\n").contains { part in
          compiled.contains { $0.contains(Self.joined(part)) } == false
        }
      }
      #expect(unknown == [], "\(document)")
    }

    #expect(count > 15)
  }

  private static func documents() throws -> [String] {
    try ["README.md", "Benchmarks/README.md"]
      + Project.files(in: "docs", withExtension: "md").sorted().map { "docs/\($0).md" }
  }

  /// The blocks of Swift of a document, without those that are printed as whole files.
  private static func fragments(of text: String) -> [String] {
    text.matches(of: /(`[\w\/+.]+`:\n\n)?```swift\n((?s).*?)```/)
      .filter { $0.output.1 == nil }
      .map { String($0.output.2) }
  }

  private static func compiled() throws -> [String] {
    try ["Sources", "Tests"].flatMap { folder in
      try Project.files(in: folder, withExtension: "swift").map {
        try self.joined(Project.text(of: "\(folder)/\($0).swift"))
      }
    }
  }

  /// All lines, wherever they begin and end.
  private static func joined(_ text: String) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }
}
