import Fixture
import ImmutableData
import TestSupport
import Testing

@testable import ImmutableRuntime
@testable import ImmutableUI

/// Frames while an effect is in progress.
@Suite(.timeLimit(.minutes(5))) @MainActor struct EffectFrameTests {
  private let store = Store(
    initialState: FixtureState(items: .make("Ant")), reducer: FixtureReducer.reduce)
  private let lanes = EffectLanes()
  private let gate = Gate()

  /// An effect renames each added item, once the gate is open.
  ///
  /// - Parameter condition: Whether the effect is still wanted; `nil` if the state does not say.
  private func listen(
    while condition: (@Sendable (FixtureState) -> Bool)? = { _ in true }
  ) -> Subscription {
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

  /// A window that shows the items, and the versions of its frames.
  private func open(
    framesEvery interval: Duration
  ) async throws -> (WindowGroup, AsyncStream<UInt64>) {
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
    return (windows, versions)
  }

  @Test func `a change and the result of its quick effect are one frame`() async throws {
    let listening = self.listen()
    defer { withExtendedLifetime(listening) {} }
    // No effect is too slow for half an hour.
    let (windows, versions) = try await self.open(framesEvery: .seconds(3_600))
    let running = Task { await windows.run() }
    defer { running.cancel() }
    var frames = versions.makeAsyncIterator()

    try self.store.dispatch(action: .ui(.onTapAddButton(id: "bee", name: "Bee")))
    // A frame that waited for nothing would come meanwhile.
    for _ in 0..<10 { await letOthersGoOn() }
    self.gate.open()

    #expect(await frames.next() == 2)
  }

  @Test func `a frame does not wait for a slow effect`() async throws {
    let listening = self.listen()
    defer { withExtendedLifetime(listening) {} }
    let (windows, versions) = try await self.open(framesEvery: .milliseconds(16))
    let running = Task { await windows.run() }
    defer { running.cancel() }
    var frames = versions.makeAsyncIterator()

    try self.store.dispatch(action: .ui(.onTapAddButton(id: "bee", name: "Bee")))

    #expect(await frames.next() == 1)
    self.gate.open()
    #expect(await frames.next() == 2)
  }

  @Test func `a frame does not wait for an effect that nobody sees`() async throws {
    let listening = self.listen(while: nil)
    defer { withExtendedLifetime(listening) {} }
    let (windows, versions) = try await self.open(framesEvery: .seconds(3_600))
    let running = Task { await windows.run() }
    defer { running.cancel() }
    var frames = versions.makeAsyncIterator()

    try self.store.dispatch(action: .ui(.onTapAddButton(id: "bee", name: "Bee")))

    #expect(await frames.next() == 1)
    self.gate.open()
  }
}
