import Foundation
import ImmutableUI
import Testing

@testable import DeveloperTools

struct RecordedTestTests {
  private static let program = TestedProgram(
    imports: ["@testable import Notes"],
    state: "State",
    initialState: "State()",
    reducer: "reduce",
    setUp: ["let pages = Pages(store)"],
    providers: ["pages"]
  )

  private func source(
    checkpoint: String? = nil,
    steps: [RecordedTest.Step] = [],
    expectations: [RecordedTest.Expectation] = [],
    digest: String? = nil
  ) -> String {
    RecordedTest(
      program: Self.program, checkpoint: checkpoint, steps: steps, expectations: expectations,
      digest: digest
    ).source
  }

  @Test func `a refused action must be refused in the generated test`() {
    let source = self.source(steps: [.init(action: #"{"add":{"_0":""}}"#, isRefused: true)])

    #expect(
      source.contains(
        """
            #expect(throws: (any Error).self) {
              try store.dispatch(
                action: self.read(
                  #"{"add":{"_0":""}}"#
                ))
            }
        """))
  }

  @Test func `the generated test starts at a checkpoint and compares the final state`() {
    let source = self.source(checkpoint: ##"{"notes":["\"#"]}"##, digest: "abc")

    #expect(
      source.contains(
        ###"initialState: try self.read(\###n        ##"{"notes":["\"#"]}"##\###n      ) as State,"###
      ))
    #expect(source.contains(#"#expect(StateDigest(of: store.snapshot().state).text == "abc")"#))
  }

  @Test func `what is not seen, or reorders the source, is escaped on every line`() {
    let environment = WindowEnvironment(
      timeZone: .gmt, date: Date(timeIntervalSince1970: 0),
      visitor: Visitor(rawValue: "ann\u{202E}"))
    let source = self.source(
      expectations: [
        RecordedTest.Expectation(
          beginning: RecordedPage.Beginning("/\r\u{202E}", environment), region: "a",
          html: "a\r\n\tb\u{0}\u{202E}c\u{2028} \n")
      ])

    for line in [
      ##"of: "/\u{d}\u{202e}","##,
      ##"visitor: Visitor(rawValue: "ann\u{202e}")"##,
      "\n        a\\u{d}\n        \\u{9}b\\u{0}\\u{202e}c\\u{2028}\\u{20}\n",
    ] {
      #expect(source.utf8.firstRange(of: line.utf8) != nil, "\(line)")
    }
  }

  /// This letter and the scalar after it are one `Character`, which is neither of the two.
  private static let joining = "\u{D4E}"

  @Test func `no text of a recording becomes code of the generated test`() {
    let environment = WindowEnvironment(timeZone: .gmt, date: Date(timeIntervalSince1970: 0))
    let source = self.source(
      expectations: [
        RecordedTest.Expectation(
          beginning: RecordedPage.Beginning("/\(Self.joining)\\(run())", environment),
          region: "\(Self.joining)\"\(Self.joining)",
          html: "\(Self.joining)\\(run())\n\(Self.joining)\"\"\"\""
        )
      ])

    for line in [
      ##"of: #"/\##(Self.joining)\(run())"#,"##,
      ##")[#"\##(Self.joining)"\##(Self.joining)"#] == """"##,
      "\n        \(Self.joining)\\\\(run())\n        \(Self.joining)\\\"\\\"\\\"\"\n",
    ] {
      #expect(source.utf8.firstRange(of: line.utf8) != nil, "\(line)")
    }
  }
}
