import Foundation
import Testing

/// docs/NO-JAVASCRIPT.md names tests that there are, and that run without JavaScript.
struct NoJavaScriptTests {
  /// What makes a browser of a test one without JavaScript (conftest.py, and `actor` of some files).
  private static let fixtures = ["plain", "actor", "open_page"]

  /// The rows of its tables, without their heads.
  private static func rows() throws -> [Substring] {
    try Project.text(of: "docs/NO-JAVASCRIPT.md").split(separator: "\n").filter { line in
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
}
