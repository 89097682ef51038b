import Synchronization
import TestSupport
import Testing

@testable import ImmutableData

@MainActor struct BacklogEntryTests {
  private let store = Store(initialState: 0) { (state: Int, action: Int) in state + action }

  /// Dispatches an action for a post.
  private func post(_ action: Int) throws -> WeakEntry {
    let entry = BacklogEntry {}
    try BacklogEntry.withCurrent(entry) { try self.store.dispatch(action: action) }
    return WeakEntry(entry: entry)
  }

  @Test func `a post without effects ends immediately`() throws {
    let post = try self.post(1)

    #expect(post.entry == nil)
  }

  @Test func `a post ends with its last effect`() async throws {
    let lanes = EffectLanes()
    let (first, second) = (Gate(), Gate())
    let listening = lanes.listen(to: self.store) { _, _, action in
      guard action == 1 else { return [] }
      return [
        Effect("first") { _, _ in await first.wait() },
        Effect("second") { dispatcher, _ in
          await second.wait()
          try await dispatcher.dispatch(action: 2)
        },
      ]
    }
    defer { withExtendedLifetime(listening) {} }

    let post = try self.post(1)

    first.open()
    while lanes.count > 1 { await letOthersGoOn() }
    #expect(post.entry != nil)
    second.open()
    while lanes.count > 0 { await letOthersGoOn() }
    while post.entry != nil { await letOthersGoOn() }
  }

  @Test func `a post ends when the effects of its effects have ended`() async throws {
    let lanes = EffectLanes()
    let gate = Gate()
    let listening = lanes.listen(to: self.store) { _, _, action in
      switch action {
      case 1: [Effect("first") { dispatcher, _ in try await dispatcher.dispatch(action: 2) }]
      case 2: [Effect("second") { _, _ in await gate.wait() }]
      default: []
      }
    }
    defer { withExtendedLifetime(listening) {} }

    let post = try self.post(1)

    while self.store.state < 3 { await letOthersGoOn() }
    while lanes.count > 1 { await letOthersGoOn() }
    #expect(post.entry != nil)
    gate.open()
    while post.entry != nil { await letOthersGoOn() }
  }

  @Test func `a post ends when the reader of a stream has finished its action`() async throws {
    var actions = self.store.makeStream().makeAsyncIterator()
    let (first, second) = (try self.post(1), try self.post(2))
    #expect([first.entry, second.entry].allSatisfy { $0 != nil })

    _ = await actions.next()
    #expect([first.entry, second.entry].allSatisfy { $0 != nil })
    _ = await actions.next()

    #expect(first.entry == nil)
    #expect(second.entry != nil)
  }

  @Test func `it is told of effects that others wait for`() async throws {
    let lanes = EffectLanes()
    let listening = lanes.listen(to: self.store) { _, _, action in
      [Effect("in a lane", lane: "lane") { _, _ in }, Effect("alone") { _, _ in }]
    }
    defer { withExtendedLifetime(listening) {} }
    let runs = Mutex(0)
    let entry = BacklogEntry {
    } onRun: { _ in
      runs.withLock { $0 += 1 }
    }

    try BacklogEntry.withCurrent(entry) { try self.store.dispatch(action: 1) }
    while lanes.count > 0 { await letOthersGoOn() }

    #expect(runs.withLock { $0 } == 1)
    withExtendedLifetime(entry) {}
  }

  @Test func `tasks that a post has started do not keep it`() async throws {
    let gate = Gate()
    var task: Task<Void, Never>?
    let observing = self.store.observe { _, _, _ in task = Task { await gate.wait() } }
    defer { withExtendedLifetime(observing) {} }

    let post = try self.post(1)

    #expect(post.entry == nil)
    gate.open()
    await task?.value
  }
}

private struct WeakEntry {
  weak var entry: BacklogEntry?
}
