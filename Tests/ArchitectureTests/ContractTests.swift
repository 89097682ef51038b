import Foundation
import Testing

/// docs/CONTRACTS.md names tests that there are.
struct ContractTests {
  private struct Contract {
    let number: Int
    /// By file.
    let tests: [(file: String, names: [String])]
  }

  private static func contracts() throws -> [Contract] {
    let text = try Project.text(of: "docs/CONTRACTS.md")
    return text.components(separatedBy: "\n### C").dropFirst().map { section in
      let tests = section.matches(of: /(?m)^- `(Tests\/[^`]+)`: (.+)$/).map { match in
        (
          file: String(match.output.1),
          names: match.output.2.matches(of: /`([^`]+)`/).map { String($0.output.1) }
        )
      }
      return Contract(number: Int(section.prefix { $0.isNumber }) ?? 0, tests: tests)
    }
  }

  @Test func `every contract is documented with tests`() throws {
    let contracts = try Self.contracts()

    #expect(contracts.map(\.number) == Array(1...24))
    #expect(contracts.filter { $0.tests.flatMap(\.names).isEmpty }.map(\.number) == [])
  }

  @Test func `every test named by a contract exists`() throws {
    for contract in try Self.contracts() {
      for (file, names) in contract.tests {
        let source = try #require(
          try? Project.text(of: file), "C\(contract.number) names \(file), which is not there"
        )
        for name in names {
          let declaration = file.hasSuffix(".py") ? "def \(name)(" : "func `\(name)`("
          #expect(
            source.contains(declaration),
            "C\(contract.number) names \u{201C}\(name)\u{201D}, which is not in \(file)"
          )
        }
      }
    }
  }
}
