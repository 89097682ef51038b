import AnimalsData
import Foundation
import HTTPConnections
import Testing

/// Whether an AnimalsDataServer is ready.
@Suite(.timeLimit(.minutes(20))) struct HealthTests {
  @Test func `a server is ready until it shuts down`() async throws {
    let end = Latch()
    try await withServer(
      of: try LocalStore<UUID>(isStoredInMemoryOnly: true), endSignal: EndSignal(setting: end)
    ) { url in
      let ready = try await Self.readiness(of: url)
      end.set()
      let ending = try await Self.readiness(of: url)

      #expect(ready == "200 ready\n")
      #expect(ending == "503 The server is shutting down.\n")
    }
  }

  private static func readiness(of server: URL) async throws -> String {
    let url = try #require(URL(string: "/readyz", relativeTo: server))
    let (body, response) = try await URLSession.shared.data(from: url)
    let status = (response as? HTTPURLResponse)?.statusCode ?? 0
    return "\(status) \(String(decoding: body, as: UTF8.self))"
  }
}
