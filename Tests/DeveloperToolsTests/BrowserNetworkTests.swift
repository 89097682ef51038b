import ImmutableRuntime
import ImmutableUI
import Testing
import WindowTesting

@testable import DeveloperTools

/// The page of windows: how browsers are connected, and what is done to their networks.
@MainActor struct BrowserNetworkTests {
  private struct Seen {
    let fixture: DeveloperFixture
    let page: TestWindow
    /// The name of a visitor's browser.
    let browser: String
  }

  private func see(dispatches: Bool = true) async throws -> Seen {
    let fixture = try await DeveloperFixture(dispatches: dispatches)
    _ = try await fixture.app.open("/counter")
    let page = try await fixture.app.open("/developer/windows")
    try await page.submit("refreshWindows")
    await fixture.wait { $0.windows.count == 2 }
    try await page.expect("/counter")
    let browser = try #require(fixture.state.windows.first?.connection?.browser)
    return Seen(fixture: fixture, page: page, browser: browser)
  }

  private nonisolated static let conditions = ["latency": "200", "loss": "5", "seed": "7"]

  @Test func `each window shows what it was sent, and whether it is behind`() async throws {
    let seen = try await self.see()

    let connections = seen.fixture.state.windows.compactMap(\.connection)

    #expect(connections.count == 2)
    #expect(connections.allSatisfy { $0.secondsBehind == nil && ($0.sentBytes ?? 0) > 0 })
    #expect(connections[0].browser != connections[1].browser)
    #expect(seen.page.text.contains(/Browser [0-9a-f]{12} : current, was sent \d kB/))
  }

  @Test func `a browser is slowed down, and back to normal`() async throws {
    let seen = try await self.see()
    let slowed = SlowedBrowser(
      id: seen.browser, conditions: NetworkConditions(latency: 200, loss: 5, seed: 7))

    try await seen.page.submit(
      "slowDown", Self.conditions.merging(["browser": seen.browser]) { $1 })
    await seen.fixture.wait { $0.slowed == [slowed] }

    #expect(seen.fixture.app.windows.slowedBrowsers == [slowed])
    try await seen.page.expect("200 ms slower each way, 5 of 100 are lost (seed 7)")
    try await seen.page.submit("normal", ["browser": seen.browser])
    await seen.fixture.wait { $0.slowed == [] }
    #expect(seen.fixture.app.windows.slowedBrowsers == [])
  }

  @Test(arguments: [("cutOff", [:]), ("slowDown", Self.conditions), ("normal", [:])])
  func `network faults need a known browser and --developer-dispatch`(
    form: String, fields: [String: String]
  ) async throws {
    let seen = try await self.see()
    let looking = try await self.see(dispatches: false)

    let unknown = try await seen.page.submit(
      form, fields.merging(["browser": "000000000000"]) { $1 })
    let forbidden = try await looking.page.submit(
      form, fields.merging(["browser": looking.browser]) { $1 })

    #expect("\(unknown)".contains("no window any more"))
    #expect("\(forbidden)".contains("--developer-dispatch"))
    #expect(seen.fixture.app.windows.slowedBrowsers == [])
    #expect(looking.fixture.app.windows.slowedBrowsers == [])
  }

  @Test(arguments: [
    ("latency", "-1"), ("latency", "5001"), ("loss", "101"), ("loss", "x"), ("seed", "1000000"),
  ])
  func `network conditions are validated`(field: String, value: String) async throws {
    let seen = try await self.see()
    var fields = Self.conditions.merging(["browser": seen.browser]) { $1 }
    fields[field] = value

    let answer = try await seen.page.submit("slowDown", fields)

    #expect("\(answer)".contains("Enter a number from"))
    #expect(seen.fixture.state.slowed == [])
  }
}
