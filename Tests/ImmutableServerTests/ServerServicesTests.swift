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

  /// Ends when it should.
  private struct PatientService: Service {
    let transcript: Transcript<String>

    func run() async throws {
      try? await gracefulShutdown()
      self.transcript.append("service")
    }
  }

  @Test func `a service that fails while another one hangs is why the server ends`() async throws {
    let gate = Gate()
    defer { gate.open() }

    await #expect(throws: Broken.self) {
      _ = try await ServerServices.run(
        [HangingService(gate: gate), FailingService()], until: EndSignal(within: .zero),
        logger: Logger(label: "test"))
    }
  }

  @Test func `a signal that comes before the services run ends them`() async throws {
    let (latch, finished) = (Latch(), Gate())
    let signal = EndSignal(setting: latch, within: .seconds(600))

    signal.arrive("SIGTERM")

    #expect(latch.isSet)
    let haveEnded = try await ServerServices.run(
      [], endings: [Ending("The database") { finished.open() }], until: signal,
      logger: Logger(label: "test"))
    #expect(haveEnded)
    await finished.wait()
  }

  @Test func `each server of a process ends when the process is asked to`() async {
    await #expect(processExitsWith: .exitCode(0)) {
      for _ in 0..<2 {
        let signal = EndSignal(within: .seconds(600))
        kill(getpid(), SIGTERM)
        let haveEnded = try await ServerServices.run(
          [], until: signal, logger: Logger(label: "test"))
        precondition(haveEnded)
      }
      exit(0)
    }
  }

  @Test func `services end before what they need is finished`() async throws {
    let transcript = Transcript<String>()
    let endings = [
      Ending("The database") { transcript.append("finished") },
      Ending("The recording", blocking: { transcript.append("finished") }),
    ]

    await #expect(throws: Broken.self) {
      _ = try await ServerServices.run(
        [PatientService(transcript: transcript), FailingService()], endings: endings,
        until: EndSignal(within: .seconds(600)), logger: Logger(label: "test"))
    }

    #expect(transcript.entries == ["service", "finished", "finished"])
  }

  @Test func `what waits for a disk does not keep the rest from being finished`() async throws {
    let (disk, finished) = (Gate(), Gate())
    let signal = EndSignal(within: .seconds(600))
    signal.arrive("SIGTERM")

    async let haveEnded = ServerServices.run(
      [],
      endings: [
        Ending("The database") { finished.open() }, Ending("The recording") { await disk.wait() },
      ], until: signal, logger: Logger(label: "test"))
    await finished.wait()
    disk.open()

    #expect(try await haveEnded)
  }

  @Test func `what is finished does not wait for a service that hangs`() async throws {
    let (hanging, finished) = (Gate(), Gate())
    defer { hanging.open() }
    let running = Task {
      _ = try await ServerServices.run(
        [HangingService(gate: hanging)], endings: [Ending("The database") { finished.open() }],
        until: EndSignal(within: .zero), logger: Logger(label: "test"))
    }

    running.cancel()

    await finished.wait()
  }

  @Test func `what cannot be finished in time is named`() async throws {
    let gate = Gate()
    defer { gate.open() }
    let running = Task {
      try await ServerServices.run(
        [], endings: [Ending("The database") { await gate.wait() }],
        until: EndSignal(within: .zero), logger: Logger(label: "test"))
    }

    running.cancel()

    let error = await #expect(throws: (any Error).self) { try await running.value }
    #expect(
      error.map { "\($0)" }
        == "The database could not be closed within 0.0 seconds. The disk may hang, or the machine be "
        + "too busy. What was not saved by then may be lost.")
  }

  @Test func `what fails while a service hangs is named`() async throws {
    let (gate, signal) = (Gate(), EndSignal(within: .seconds(1)))
    defer { gate.open() }
    signal.arrive("SIGTERM")

    let error = await #expect(throws: (any Error).self) {
      try await ServerServices.run(
        [HangingService(gate: gate)], endings: [Ending("The database") { throw Broken() }],
        until: signal, logger: Logger(label: "test"))
    }

    #expect(error.map { "\($0)".hasPrefix("The database could not be closed") } == true)
  }

  @Test func `what fails after services were cancelled is named`() async throws {
    let running = Task {
      try await ServerServices.run(
        [PatientService(transcript: Transcript())],
        endings: [
          Ending("The database") { throw Broken() }, Ending("The recording") { throw Broken() },
        ],
        until: EndSignal(within: .seconds(600)), logger: Logger(label: "test"))
    }

    running.cancel()

    let error = await #expect(throws: (any Error).self) { try await running.value }
    #expect(
      error.map { "\($0)" }
        == "The database could not be closed. Broken() The recording could not be closed. Broken()")
  }

  @Test func `a reason to end and what could not be finished are both told`() async throws {
    let error = await #expect(throws: (any Error).self) {
      try await ServerServices.run(
        [FailingService()], endings: [Ending("The database") { throw Broken() }],
        until: EndSignal(within: .seconds(600)), logger: Logger(label: "test"))
    }

    #expect(error.map { "\($0)" } == "Broken() The database could not be closed. Broken()")
  }

  @Test func `services that have not ended are named`() async throws {
    let (gate, transcript) = (Gate(), Transcript<String>())
    defer { gate.open() }
    let signal = EndSignal(within: .zero)
    signal.arrive("SIGTERM")

    let haveEnded = try await ServerServices.run(
      [HangingService(gate: gate)], until: signal, logger: transcript.logger)

    #expect(haveEnded == false)
    #expect(
      transcript.entries.filter { $0.hasPrefix("error") } == [
        "error Services had not ended on shutdown limit=0.0 seconds services=HangingService"
      ])
  }

  @Test func `the time to end begins when the signal arrives`() {
    let signal = EndSignal(within: .seconds(600))
    #expect(signal.deadline.left(for: .effects) == .seconds(596))

    signal.arrive("SIGTERM")

    #expect(signal.deadline.left(for: .effects) < .seconds(596))
  }
}
