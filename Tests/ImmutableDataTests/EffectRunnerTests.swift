import TestSupport
import Testing

@testable import ImmutableData

private struct Failure: Error {}

// The limit is for what would else hang.
@Suite(.timeLimit(.minutes(1))) @MainActor struct EffectRunnerTests {
  private let store = Store<Int, Int>(initialState: 0) { $0 + $1 }
  private let lanes = EffectLanes()
  private let errors = Transcript<String>()

  private func runner(_ lanes: EffectLanes?) -> EffectRunner {
    EffectRunner(lanes: lanes, writingIn: "write") { [errors] in errors.append("\($0)") }
  }

  @Test func `without lanes effects are awaited`() async {
    let runner = self.runner(nil)

    await runner.write(self.store) { dispatcher, _ in try await dispatcher.dispatch(action: 1) }
    await runner.read(self.store) { dispatcher, _ in try await dispatcher.dispatch(action: 2) }

    #expect(self.store.state == 3)
  }

  @Test func `in lanes a write waits for the writes before it, and a read for nothing`() async {
    let runner = self.runner(self.lanes)
    let transcript = Transcript<String>()
    let gate = Gate()

    await runner.write(self.store) { _, _ in
      await gate.wait()
      transcript.append("first write")
    }
    await runner.write(self.store) { _, _ in transcript.append("second write") }
    await runner.read(self.store) { _, _ in
      transcript.append("read")
      gate.open()
    }
    await transcript.wait { $0.count == 3 }

    #expect(transcript.entries == ["read", "first write", "second write"])
  }

  @Test(arguments: [false, true])
  func `what a thunk throws is reported`(inLanes: Bool) async {
    let runner = self.runner(inLanes ? self.lanes : nil)

    await runner.read(self.store) { _, _ in throw Failure() }
    await runner.write(self.store) { _, _ in throw Failure() }
    await self.errors.wait { $0.count == 2 }

    #expect(self.errors.entries == ["Failure()", "Failure()"])
  }
}
