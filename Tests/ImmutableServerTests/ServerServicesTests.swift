import Foundation
import Logging
import ServiceLifecycle
import TestSupport
import Testing

@testable import HTTPConnections

struct ServerServicesTests {
  private struct Broken: Error {}

  private struct FailingService: Service {
    func run() async throws { throw Broken() }
  }

  /// Does not end when it should.
  private struct HangingService: Service {
    let gate: Gate

    func run() async throws { await self.gate.wait() }
  }

  @Test func `a service that fails while another one hangs is why the server ends`() async throws {
    let gate = Gate()
    defer { gate.open() }

    await #expect(throws: Broken.self) {
      _ = try await ServerServices.run(
        [HangingService(gate: gate), FailingService()], until: EndSignal(), endingWithin: .zero,
        logger: Logger(label: "test"))
    }
  }

  @Test func `a signal that comes before the services run ends them`() async throws {
    let (latch, finished) = (Latch(), Gate())
    let signal = EndSignal(setting: latch)

    signal.arrive("SIGTERM")

    #expect(latch.isSet)
    let haveEnded = try await ServerServices.run(
      [Ending("The database") { finished.open() }], until: signal, endingWithin: .seconds(600),
      logger: Logger(label: "test"))
    #expect(haveEnded)
    await finished.wait()
  }

  @Test func `each server of a process ends when the process is asked to`() async {
    await #expect(processExitsWith: .exitCode(0)) {
      for _ in 0..<2 {
        let signal = EndSignal()
        kill(getpid(), SIGTERM)
        let haveEnded = try await ServerServices.run(
          [], until: signal, endingWithin: .seconds(600), logger: Logger(label: "test"))
        precondition(haveEnded)
      }
      exit(0)
    }
  }

  @Test func `services end before what they need is finished`() async throws {
    let transcript = Transcript<String>()
    let database = Ending("The database") { transcript.append("database") }
    let recording = Ending("The recording", blocking: { transcript.append("recording") })

    await #expect(throws: Broken.self) {
      _ = try await ServerServices.run(
        [database, recording, FailingService()], until: EndSignal(), endingWithin: .seconds(600),
        logger: Logger(label: "test"))
    }

    #expect(transcript.entries == ["recording", "database"])
  }

  @Test func `what is finished does not wait for a service that hangs`() async throws {
    let (hanging, finished) = (Gate(), Gate())
    defer { hanging.open() }
    let running = Task {
      _ = try await ServerServices.run(
        [Ending("The database") { finished.open() }, HangingService(gate: hanging)],
        until: EndSignal(), endingWithin: .zero, logger: Logger(label: "test"))
    }

    running.cancel()

    await finished.wait()
  }

  @Test func `what cannot be finished in time is named`() async throws {
    let gate = Gate()
    defer { gate.open() }
    let running = Task {
      try await ServerServices.run(
        [Ending("The database") { await gate.wait() }], until: EndSignal(), endingWithin: .zero,
        logger: Logger(label: "test"))
    }

    running.cancel()

    let error = await #expect(throws: (any Error).self) { try await running.value }
    #expect(
      error.map { "\($0)" }
        == "The database could not be closed within 0.0 seconds. The disk may hang. What was not saved "
        + "by then may be lost.")
  }
}
