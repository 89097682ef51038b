import HTTPConnections
import Logging
import ServiceLifecycle
import TestSupport
import Testing

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
        [HangingService(gate: gate), FailingService()], endingWithin: .zero,
        logger: Logger(label: "test"))
    }
  }
}
