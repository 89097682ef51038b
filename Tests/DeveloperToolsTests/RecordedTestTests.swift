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
    digest: String? = nil
  ) -> String {
    RecordedTest(
      program: Self.program, checkpoint: checkpoint, steps: steps, expectations: [],
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
}
