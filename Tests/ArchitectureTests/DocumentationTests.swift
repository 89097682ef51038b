import Foundation
import Testing

/// What documents print is a part of a file that compiles: of the snippets in Tests/DocumentationSnippets, or
/// of a product. Files that are printed whole are built and run by test_readme.py.
struct DocumentationTests {
  @Test func `code in documents compiles`() throws {
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

  /// The modules of the library that products import.
  private static let library = [
    "DatabaseFiles", "HTMLTemplates", "ImmutableData", "ImmutableUI", "Pictures", "PlainText",
    "Services",
  ]

  @Test(arguments: ["Animals", "Counter", "Quakes"])
  func `the concepts are all types of the library that a product uses`(product: String) throws {
    let declaration =
      /(?m)^(?:@\w+ )*(?:\w+ )*(?:public|open) (?:\w+ )*(?:struct|class|enum|actor|protocol) (\w+)/
    let types = try Self.library.reduce(into: Set<String>()) { types, module in
      for source in try Self.sources(of: module) {
        types.formUnion(source.matches(of: declaration).map { String($0.output.1) })
      }
    }
    // Without comments, texts and imports, and without what the product declares itself.
    let code = try ["Data", "UI"].flatMap { try Self.sources(of: product + $0) }
      .joined().replacing(/(?m)\/\/.*$|"(?:\\.|[^"\\\n])*"|^.*\bimport .*$/, with: "")
    let own = Set(
      code.matches(of: /\b(?:struct|class|enum|actor|protocol|typealias) (\w+)/).map(\.output.1))
    let used = Set(code.matches(of: /\b[A-Z]\w+/).map(\.output))
    let named = try Set(
      Project.text(of: "docs/CONCEPTS.md").matches(of: /\b[A-Z]\w+/).map { String($0.output) })

    let concepts = Set(used.subtracting(own).map(String.init)).intersection(types)

    #expect(types.count > 100)
    #expect(concepts.count > 10)
    #expect(concepts.subtracting(named).sorted() == [])
  }

  private static func sources(of module: String) throws -> [String] {
    try Project.files(in: "Sources/\(module)", withExtension: "swift").map {
      try Project.text(of: "Sources/\(module)/\($0).swift")
    }
  }

  @Test func `the walk through one field names code that exists`() throws {
    let text = try Project.text(of: "docs/ARCHITECTURE.md")
    let walk = try #require(text.split(separator: "## One field").last)
    let sources = try Project.files(in: "Sources", withExtension: "swift")
    let scripts = try Project.files(in: "Public", withExtension: "js")
    let code = try sources.map { try Project.text(of: "Sources/\($0).swift") }
    func isDeclared(_ type: some StringProtocol, with member: String = "") throws -> Bool {
      let type = try Regex("(class|struct|enum|actor|protocol|extension) (\\w+\\.)?\(type)\\b")
      let member = try Regex(member.isEmpty ? "" : "(func|var|let) \(member)\\b")
      return code.contains { $0.contains(type) && $0.contains(member) }
    }

    let names = walk.matches(of: /`([\w.+\/]+)(\([\w:]+\))?`/).map { String($0.output.1) }
    let unknown = try names.filter { name in
      let parts = name.split(separator: ".")
      if name.hasSuffix(".js") {
        return scripts.contains {
          "Public/\($0).js".hasSuffix("/\(name)") || "Public/\($0).js" == name
        } == false
      }
      if name.contains("/") { return sources.contains(name) == false }
      if parts.count == 1 {
        return try name.first?.isLowercase == true
          ? isDeclared("\\w+", with: name) == false : isDeclared(name) == false
      }
      // A type of a module, or a member of a type.
      return try parts[1].first?.isUppercase == true
        ? isDeclared(parts[1]) == false : isDeclared(parts[0], with: String(parts[1])) == false
    }

    #expect(names.count > 20)
    #expect(unknown == [])
  }

  @Test func `links of documents lead to files and headings that exist`() throws {
    var broken: [String] = []
    for document in try Self.documents() {
      let folder = URL(filePath: "/\(document)").deletingLastPathComponent()
      // In code, brackets and parentheses are no links.
      let text = try Project.text(of: document).replacing(/(?s)```.*?```|`[^`\n]*`/, with: "")
      for link in text.matches(of: /\]\((?!https?:)([^)#]*)#?([^)]*)\)/) {
        let (path, heading) = (String(link.output.1), String(link.output.2))
        let target =
          path.isEmpty
          ? document : String(folder.appending(path: path).standardized.path.dropFirst())
        let isThere =
          heading.isEmpty
          ? FileManager.default.fileExists(atPath: Project.root.appending(path: target).path)
          : try Self.headings(of: Project.text(of: target)).contains(heading)
        if isThere == false { broken.append("\(document): \(link.output.0)") }
      }
    }

    #expect(broken == [])
  }

  /// The headings of a document, as links name them.
  private static func headings(of text: String) -> Set<String> {
    Set(
      text.matches(of: /(?m)^#+ (.+)$/).map { heading in
        heading.output.1.lowercased().replacing(/[^\w\- ]/, with: "").replacing(" ", with: "-")
      }
    )
  }

  @Test func `classes and attributes that are offered to products exist`() throws {
    let text = try Project.text(of: "docs/TEMPLATES.md")
    let offers = try #require(text.split(separator: "## Classes").last)
    let style = try Project.text(of: "Public/style.css")
    let classes = Set(style.matches(of: /\.([a-z][a-z-]*)/).map { String($0.output.1) })
    let attributes = try Project.text(of: "docs/PROTOCOL.md")

    let listed = offers.matches(of: /(?m)^\| (`[a-z]+`(, `[a-z]+`)*) \|/)
      .flatMap { $0.output.1.matches(of: /[a-z]+/).map { String($0.output) } }
    let used = offers.matches(of: /class="([^"]+)"/)
      .flatMap { $0.output.1.split(separator: " ").map(String.init) }
    let properties = offers.matches(of: /--[a-z][a-z-]*/).map { String($0.output) }
    let dataAttributes = offers.matches(of: /data-[a-z]+/).map { String($0.output) }

    #expect(listed.count > 15 && properties.count > 5 && dataAttributes.count > 5)
    #expect(Set(listed + used).subtracting(classes) == [])
    #expect(properties.filter { style.contains("\($0):") == false } == [])
    #expect(dataAttributes.filter { attributes.contains($0) == false } == [])
  }

  /// All lines, wherever they begin and end.
  private static func joined(_ text: String) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }
}
