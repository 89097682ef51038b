import Fixture
import ImmutableData
import TestSupport
import Testing

@testable import ImmutableRuntime
@testable import ImmutableUI

/// Frames while an effect is in progress.
@Suite(.timeLimit(.minutes(20))) @MainActor struct EffectFrameTests {
  private let store = Store(
    initialState: FixtureState(items: .make("Ant")), reducer: FixtureReducer.reduce)
  private let lanes = EffectLanes()
  private let gate = Gate()

  /// An effect renames each added item, once the gate is open.
  ///
  /// - Parameter condition: Whether the effect is still wanted; `nil` if the state does not say.
  private func listen(while condition: (@Sendable (FixtureState) -> Bool)?) -> Subscription {
    let gate = self.gate
    return self.lanes.listen(to: self.store) { _, _, action in
      guard case .ui(.onTapAddButton(let id, let name)) = action else { return [] }
      return [
        Effect("items.save", while: condition) { store, _ in
          await gate.wait()
          try await store.dispatch(action: .data(.didRename(id: id, name: "\(name), saved")))
        }
      ]
    }
  }

  /// Adds an item that a window shows.
  ///
  /// - Parameter condition: As in ``listen(while:)``.
  /// - Returns: The versions of the window's frames.
  private func addItem(
    framesEvery interval: Duration,
    while condition: (@Sendable (FixtureState) -> Bool)? = { _ in true }
  ) async throws -> AsyncStream<UInt64> {
    let listening = self.listen(while: condition)
    var configuration = WindowGroup.Configuration()
    configuration.frameInterval = interval
    let (store, lanes) = (self.store, self.lanes)
    let windows = try WindowGroup(templates: .fixture, configuration: configuration) {
      Provider(store, effects: lanes) { FixtureContent.page(at: "/items") }
    }
    let (versions, continuation) = AsyncStream.makeStream(of: UInt64.self)
    windows.connect { commands in
      for case .frame(let frame) in commands { continuation.yield(frame.version) }
    }
    let (stream, session) = (Identifier(), Identifier())
    _ = try windows.openStream(stream, session: session)
    _ = try await windows.join(
      stream: stream, session: session, at: "/items", navigation: 1, tags: [:])
    let running = Task { await windows.run() }
    continuation.onTermination = { _ in
      running.cancel()
      withExtendedLifetime(listening) {}
    }
    try self.store.dispatch(action: .ui(.onTapAddButton(id: "bee", name: "Bee")))
    return versions
  }

  @Test func `a change and the result of its quick effect are one frame`() async throws {
    // No effect is too slow for half an hour.
    var frames = try await self.addItem(framesEvery: .seconds(3_600)).makeAsyncIterator()
    // A frame that waited for nothing would come meanwhile.
    for _ in 0..<10 { await letOthersGoOn() }
    self.gate.open()

    #expect(await frames.next() == 2)
  }

  @Test func `a frame does not wait for a slow effect`() async throws {
    var frames = try await self.addItem(framesEvery: .milliseconds(16)).makeAsyncIterator()

    #expect(await frames.next() == 1)
    self.gate.open()
    #expect(await frames.next() == 2)
  }

  @Test func `a frame does not wait for an effect that nobody sees`() async throws {
    var frames =
      try await self.addItem(framesEvery: .seconds(3_600), while: nil).makeAsyncIterator()

    #expect(await frames.next() == 1)
    self.gate.open()
  }
}
