import Fixture
import ImmutableData
import Testing
import WindowTesting

@testable import ImmutableRuntime
@testable import ImmutableUI

@Suite(.timeLimit(.minutes(20))) struct SubmissionsTests {
  @MainActor @Test func `a submission that was refused is carried out once it is corrected`()
    async throws
  {
    let fixture = try FixtureApp()
    let window = try await fixture.app.open("/fixture")

    let refused = try await window.submit("add", ["name": "Ant"], token: "one")
    let accepted = try await window.submit("add", ["name": "Dog"], token: "one")
    let again = try await window.submit("add", ["name": "Eel"], token: "one")

    #expect(refused.refusal?.kind == .conflict)
    #expect(accepted.refusal == nil && again.refusal == nil)
    #expect(fixture.store.state.items.map(\.name) == ["Ant", "Bee", "Cat", "Dog"])
  }

  @Test func `many submissions of a client evict no other client's`() async {
    let submissions = Submissions()
    func key(_ token: String) -> SubmissionKey { SubmissionKey(path: "/", token: token) }
    func accept(_ token: String, of client: String) async {
      _ = await submissions.answer(to: key(token), of: client) {
        .success(AcceptedSubmission(version: 1, name: token, target: nil))
      }
    }

    await accept("modest", of: "modest")
    for number in 0..<20_000 { await accept("\(number)", of: "greedy") }

    #expect(submissions[key("modest")] != nil)
    #expect(submissions[key("0")] == nil)
    #expect(submissions[key("19999")] != nil)
    #expect(submissions.size.bytes <= 4 << 20 + 1 << 12)
  }
}
