import Foundation
import ImmutableUI

/// A recording as a test in Swift, which expects the results of one build.
struct RecordedTest {
  struct Step {
    /// As JSON.
    let action: String
    let isRefused: Bool
  }

  /// The HTML that a region must have in the end; `nil` if the region must not exist.
  struct Expectation {
    let beginning: RecordedPage.Beginning
    let region: String
    let html: String?
  }

  let program: TestedProgram
  /// The initial state, as JSON; `nil` for the program's own.
  let checkpoint: String?
  let steps: [Step]
  let expectations: [Expectation]
  /// The digest of the final state; `nil` if it is not compared.
  let digest: String?

  var source: String {
    let lines =
      self.head + self.beginning + self.actions
      + self.expectations.flatMap(Self.lines) + self.end
    return lines.joined(separator: "\n") + "\n"
  }

  private var head: [String] {
    let modules = [
      "DeveloperTools", "Foundation", "HTMLTemplates", "ImmutableData", "ImmutableRuntime",
      "ImmutableUI", "Testing", "WindowTesting",
    ]
    return modules.map { "import \($0)" } + [""] + self.program.imports + [
      "",
      "/// The least that two builds treated differently, written by `--shrink`. Give it a name.",
      "@MainActor struct ShrunkTests {",
      "  private func read<Value: Decodable>(_ json: String) throws -> Value {",
      "    try JSONDecoder().decode(Value.self, from: Data(json.utf8))",
      "  }",
      "",
      "  @Test func `what the old build did`() throws {",
    ]
  }

  private var beginning: [String] {
    let state =
      self.checkpoint.map {
        [
          "      initialState: try self.read(", "        \(Self.literal($0))",
          "      ) as \(self.program.state),",
        ]
      } ?? ["      initialState: \(self.program.initialState),"]
    return ["    let store = Store("] + state + [
      "      reducer: \(self.program.reducer)",
      "    )",
    ] + self.program.setUp.map { "    \($0)" } + [
      "    let app = try TestApp(templates: TemplateLibrary(directory: \"Templates\")) {"
    ] + self.program.providers.map { "      \($0)" } + ["    }"]
  }

  private var actions: [String] {
    self.steps.flatMap { step in
      let dispatch = [
        "try store.dispatch(", "  action: self.read(", "    \(Self.literal(step.action))", "  ))",
      ]
      return step.isRefused
        ? ["    #expect(throws: (any Error).self) {"] + dispatch.map { "      \($0)" } + ["    }"]
        : dispatch.map { "    \($0)" }
    }
  }

  private static func lines(_ expectation: Expectation) -> [String] {
    let beginning = expectation.beginning
    let seconds = beginning.date.timeIntervalSinceReferenceDate
    let visitor =
      beginning.visitor.map {
        ",\n          visitor: Visitor(rawValue: \(Self.literal($0.rawValue)))"
      } ?? ""
    let call = [
      "    #expect(",
      "      app.regions(",
      "        of: \(Self.literal(beginning.url)),",
      "        in: store.snapshot().state,",
      "        environment: WindowEnvironment(",
      "          timeZone: try #require(TimeZone(identifier: \(Self.literal(beginning.timeZone)))),",
      "          date: Date(timeIntervalSinceReferenceDate: \(seconds))\(visitor)",
      "        )",
    ]
    let region = "      )[\(Self.literal(expectation.region))]"
    guard let html = expectation.html else { return call + ["\(region) == nil", "    )"] }
    let lines = Self.literalLines(html).map { $0.isEmpty ? "" : "        \($0)" }
    return call + ["\(region) == \"\"\""] + lines + ["        \"\"\"", "    )"]
  }

  private var end: [String] {
    let digest = self.digest.map {
      "    #expect(StateDigest(of: store.snapshot().state).text == \(Self.literal($0)))"
    }
    return (digest.map { [$0] } ?? []) + ["  }", "}"]
  }
}

extension RecordedTest {
  /// A text as one line of Swift, readable even if it contains quotation marks.
  private static func literal(_ text: String) -> String {
    let marks = text.utf8.contains { $0 == 0x22 || $0 == 0x5C } ? Self.marks(for: text) : ""
    return "\(marks)\"\(Self.escaped(text, marks))\"\(marks)"
  }

  /// A text without the scalars that a line of source cannot contain, that are not seen, or that
  /// change the order in which the source is shown.
  private static func escaped(_ text: String, _ marks: String = "") -> String {
    text.unicodeScalars.map { scalar in
      let properties = scalar.properties
      let isEscaped =
        properties.generalCategory == .control || properties.isBidiControl
        || properties.isPatternWhitespace && scalar != " "
      return isEscaped ? "\\\(marks)u{\(String(scalar.value, radix: 16))}" : String(scalar)
    }.joined()
  }

  /// The number signs that a literal needs, so that nothing in the text ends the literal or acts as
  /// an escape. The compiler reads bytes, so a `Character` that hides a quotation mark or a backslash
  /// must not hide it here.
  private static func marks(for text: String) -> String {
    var marks = "#"
    while text.utf8.firstRange(of: "\"\(marks)".utf8) != nil
      || text.utf8.firstRange(of: "\\\(marks)".utf8) != nil
    { marks += "#" }
    return marks
  }

  /// The lines of a multi-line literal.
  private static func literalLines(_ text: String) -> [String] {
    text.replacingBytes("\\", with: "\\\\").replacingBytes("\"\"\"", with: "\\\"\\\"\\\"")
      .parts(between: "\n")
      .map { part in
        let line = Self.escaped(part)
        // Spaces at the end of a line are written as escapes, because they are easily lost.
        let kept = line.reversed().drop { $0 == " " }.count
        let spaces = String(repeating: "\\u{20}", count: line.count - kept)
        return line.prefix(kept) + spaces
      }
  }
}
