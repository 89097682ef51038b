import Foundation
import Testing

/// What the documents print is a part of a file that compiles: of the snippets here, or of a product. What
/// README.md prints as whole files, test_readme.py builds and runs.
@Suite struct DocumentationTests {
  @Test(arguments: [
    "README.md", "docs/CLUSTER.md", "docs/DEVELOPER.md", "docs/INCREMENTAL.md",
    "docs/operations/OPERATIONS.md",
  ])
  func `what is printed compiles`(document: String) throws {
    let text = try String(contentsOf: Self.root.appending(path: document), encoding: .utf8)
    let compiled = try Self.compiled()

    let unknown = Self.fragments(of: text).filter { fragment in
      // Parts that the document shortens or joins are separated by an empty line.
      fragment.components(separatedBy: "\n\n").contains { part in
        compiled.contains { $0.contains(Self.joined(part)) } == false
      }
    }

    #expect(unknown == [])
  }

  @Test func `no other document prints programs`() throws {
    let known: Set = [
      "README.md", "CLUSTER.md", "DEVELOPER.md", "INCREMENTAL.md", "OPERATIONS.md",
    ]
    let documents = try Self.files(in: ["docs", "README.md", "Benchmarks/README.md"], "md")

    let others = try documents.filter { known.contains($0.lastPathComponent) == false }
      .filter { try String(contentsOf: $0, encoding: .utf8).contains("```swift") }

    #expect(others == [])
  }

  private static let root = URL(filePath: #filePath).appending(path: "../../..").standardized

  /// The blocks of Swift of a document, without those that are printed as whole files.
  private static func fragments(of text: String) -> [String] {
    text.matches(of: /(`[\w\/+.]+`:\n\n)?```swift\n((?s).*?)```/)
      .filter { $0.output.1 == nil }
      .map { String($0.output.2) }
  }

  private static func compiled() throws -> [String] {
    try self.files(in: ["Sources", "Tests"], "swift").map {
      self.joined(try String(contentsOf: $0, encoding: .utf8))
    }
  }

  /// All lines, wherever they begin and end.
  private static func joined(_ text: String) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  private static func files(in folders: [String], _ kind: String) throws -> [URL] {
    folders.flatMap { folder -> [URL] in
      let url = self.root.appending(path: folder)
      guard url.hasDirectoryPath || folder.contains(".") == false else { return [url] }
      let found = FileManager.default.enumerator(at: url, includingPropertiesForKeys: nil)
      return (found?.allObjects as? [URL] ?? []).filter { $0.pathExtension == kind }
    }
  }
}
