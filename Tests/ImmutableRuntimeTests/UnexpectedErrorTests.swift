import Fixture
import HTMLTemplates
import ImmutableData
import ImmutableRuntime
import ImmutableUI
import Logging
import Synchronization
import Testing
import WindowTesting

/// Keeps what is logged, as text.
private final class LogLines: Sendable {
  private let lines = Mutex<[String]>([])

  var all: [String] { self.lines.withLock { $0 } }

  func append(_ line: String) { self.lines.withLock { $0.append(line) } }

  var logger: Logger {
    Logger(label: "test") { _ in Handler(lines: self) }
  }

  private struct Handler: LogHandler {
    let lines: LogLines
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.trace

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { self.metadata[key] }
      set { self.metadata[key] = newValue }
    }

    func log(event: LogEvent) {
      let metadata = (event.metadata ?? [:]).sorted { $0.key < $1.key }
      self.lines.append(
        "\(event.level) \(event.message) "
          + metadata.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
      )
    }
  }
}

private struct OutOfPaper: Error {}

@MainActor struct UnexpectedErrorTests {
  private let lines = LogLines()

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
      self.lines.all == [
        "error An action was refused for an unexpected reason "
          + "error=OutOfPaper() form=tick path=/fixture type=OutOfPaper"
      ]
    )
  }

  @Test func `a refusal is not logged as an error`() async throws {
    let window = try await self.app(throwing: Refusal(.conflict, "Not now.")).open("/fixture")

    try await window.submit("tick")

    #expect(self.lines.all == [])
  }
}
