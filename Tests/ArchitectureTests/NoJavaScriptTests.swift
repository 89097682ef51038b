import Foundation
import Testing

/// docs/NO-JAVASCRIPT.md names tests that there are, and that run without JavaScript, and says what each
/// form belongs to.
struct NoJavaScriptTests {
  /// What makes a browser of a test one without JavaScript (conftest.py, and `actor` of some files).
  private static let fixtures = ["plain", "actor", "open_page"]

  /// The rows of its tables, without their heads and its list of forms.
  private static func rows() throws -> [Substring] {
    try Project.text(of: "docs/NO-JAVASCRIPT.md").prefix(upTo: "\n## Forms\n")
      .split(separator: "\n").filter { line in
        line.hasPrefix("| ") && line.hasPrefix("| Feature ") == false
          && line.hasPrefix("| ---") == false
      }
  }

  @Test func `every feature names tests that run without JavaScript`() throws {
    let rows = try Self.rows()
    #expect(rows.count > 30)

    for row in rows {
      let tests = try #require(
        row.firstMatch(of: /\| `([^`]+\.py)`: (`[^|]+`) \|$/), "no test is named in: \(row)")
      let source = try Project.text(of: "Tests/BrowserTests/\(tests.output.1)")
      for name in tests.output.2.matches(of: /`([^`]+)`/).map(\.output.1) {
        let declaration = try #require(
          source.firstRange(of: "def \(name)("), "\(tests.output.1) has no \(name)")
        let parameters = source[declaration.upperBound...].prefix { $0 != ")" }
          .split { $0 == "," || $0.isWhitespace }.map(String.init)
        #expect(
          Self.fixtures.contains(where: parameters.contains), "\(name) runs with JavaScript")
      }
    }
  }
  @Test func `every form belongs to a feature`() throws {
    let features = Set(try Self.rows().map { $0.dropFirst(2).prefix { $0 != "|" }.dropLast() })
    let listed = try Project.text(of: "docs/NO-JAVASCRIPT.md")
      .matches(of: /\| `(\w+\.\w+)` \| ([^|]+) \|/)

    let unknown = listed.map(\.output.2).filter { features.contains($0) == false }
    #expect(unknown.isEmpty, "there is no such row: \(unknown)")
    let forms = try Self.declaredForms().union(Self.writtenForms())
    #expect(forms.count > 30)
    #expect(Set(listed.map { String($0.output.1) }) == forms)
  }

  /// The forms of Swift code, as `AnimalsUI.save`.
  private static func declaredForms() throws -> Set<String> {
    try Self.forms(in: "Sources", withExtension: "swift") { module, _, text in
      let code = text.split(separator: "\n").filter { $0.contains(/^ *\/\//) == false }
        .joined(separator: "\n")
      return code.matches(of: /(?:\bForm<\w+>|\.localForm)\(\s*"(\w+)"/)
        .map { "\(module).\($0.output.1)" }
    }
  }

  /// The templates that contain a form which no Swift code declares, as `Server.Home`.
  private static func writtenForms() throws -> Set<String> {
    try Self.forms(in: "Templates", withExtension: "mustache") { module, name, text in
      text.contains("<form") ? ["\(module).\(name)"] : []
    }
  }

  private static func forms(
    in folder: String,
    withExtension fileExtension: String,
    find: (_ module: Substring, _ name: Substring, _ text: String) -> [String]
  ) throws -> Set<String> {
    var forms: Set<String> = []
    for path in try Project.files(in: folder, withExtension: fileExtension) {
      let parts = path.split(separator: "/")
      let text = try Project.text(of: "\(folder)/\(path).\(fileExtension)")
      forms.formUnion(find(parts[0], parts[parts.endIndex - 1], text))
    }
    return forms
  }
}

extension String {
  /// What precedes a text; everything if it does not contain it.
  fileprivate func prefix(upTo text: String) -> Substring {
    self[..<(self.range(of: text)?.lowerBound ?? self.endIndex)]
  }
}
