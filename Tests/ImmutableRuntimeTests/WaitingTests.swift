import Fixture
import ImmutableData
import TestSupport
import Testing
import WindowTesting

@testable import ImmutableRuntime
@testable import ImmutableUI

/// Requests that wait for a change.
@Suite(.timeLimit(.minutes(20))) @MainActor struct WaitingTests {
  @Test func `a wait ends with its task, and the last one takes what wakes it along`() async throws
  {
    let fixture = try FixtureApp()
    let product = try #require(fixture.app.windows.allProducts.first as? Product<FixtureState>)
    let waits = (0..<2).map { _ in Task { await product.waitForever() } }
    while await product.waiters.count < 2 { await letOthersGoOn() }

    waits[0].cancel()
    await waits[0].value
    let isWaking = await product.isWaking
    waits[1].cancel()
    await waits[1].value

    #expect(isWaking)
    #expect(await product.isWaking == false)
    #expect(await product.waiters.isEmpty)
  }
}

extension Product {
  fileprivate var isWaking: Bool { self.waking != nil }

  /// Waits for what never happens.
  fileprivate func waitForever() async {
    await self.wait(for: .seconds(3_600)) { _ in true }
  }
}
