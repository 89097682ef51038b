import Fixture
import HTMLTemplates
import ImmutableData
import ImmutableRuntime
import ImmutableUI
import TestSupport
import Testing
import WindowTesting

private struct OutOfPaper: Error {}

@MainActor struct UnexpectedErrorTests {
  private let lines = Transcript<String>()

  private func app(throwing error: any Error) throws -> TestApp {
    let store = Store<FixtureState, FixtureAction>(initialState: FixtureState()) { _, _ in
      throw error
    }
    var configuration = WindowGroup.Configuration()
    configuration.logger = self.lines.logger
    return try TestApp(templates: .fixture, configuration: configuration) {
      Provider(store) { FixtureContent.page }
    }
  }

  @Test func `an unexpected error of a reducer is logged with its context`() async throws {
    let window = try await self.app(throwing: OutOfPaper()).open("/fixture")

    let answer = try await window.submit("tick")

    guard case .refused(let refusal, version: 0) = answer else {
      Issue.record("it was accepted")
      return
    }
    #expect(refusal.message.contains("OutOfPaper") == false)
    #expect(
      self.lines.entries == [
        "error An action was refused for an unexpected reason "
          + "error=OutOfPaper() form=tick path=/fixture type=OutOfPaper"
      ]
    )
  }

  @Test func `a refusal is not logged as an error`() async throws {
    let window = try await self.app(throwing: Refusal(.conflict, "Not now.")).open("/fixture")

    try await window.submit("tick")

    #expect(self.lines.entries == [])
  }
}
