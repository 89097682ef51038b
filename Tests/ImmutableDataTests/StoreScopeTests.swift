import Testing

@testable import ImmutableData

private struct Whole: Sendable {
  var left = 0
  var right = Nested()
}

private struct Nested: Sendable {
  var inner = 0
}

private enum WholeAction: Sendable {
  case left(Int)
  case right(NestedAction)
}

private enum NestedAction: Sendable {
  case inner(Int)
  case other
}

private func reduce(_ state: Whole, _ action: WholeAction) -> Whole {
  var state = state
  switch action {
  case .left(let value): state.left = value
  case .right(.inner(let value)): state.right.inner = value
  case .right(.other): break
  }
  return state
}

@MainActor struct StoreScopeTests {
  private let store = Store<Whole, WholeAction>(initialState: Whole(), reducer: { reduce($0, $1) })

  private var right: Store<Nested, NestedAction> {
    self.store.scope(
      state: { $0.right },
      action: { .right($0) },
      extract: { if case .right(let action) = $0 { action } else { nil } }
    )
  }

  private func inner(of store: Store<Nested, NestedAction>) -> Store<Int, Int> {
    store.scope(
      state: { $0.inner },
      action: { .inner($0) },
      extract: { if case .inner(let value) = $0 { value } else { nil } }
    )
  }

  @Test func `a part reads and dispatches through the whole`() throws {
    let right = self.right

    try right.dispatch(action: .inner(7))

    #expect(self.store.state.right.inner == 7)
    #expect(right.state.inner == 7)
  }

  @Test func `parts nest`() throws {
    let inner = self.inner(of: self.right)

    try inner.dispatch(action: 9)

    #expect(self.store.state.right.inner == 9)
    #expect(inner.state == 9)
  }

  @Test func `a part's version is the version of its own last action`() throws {
    let right = self.right
    let inner = self.inner(of: right)

    try self.store.dispatch(action: .left(1))
    try inner.dispatch(action: 2)
    try self.store.dispatch(action: .left(3))
    try right.dispatch(action: .other)
    try self.store.dispatch(action: .left(5))

    #expect(self.store.snapshot().version == 5)
    #expect(right.snapshot().version == 4)
    #expect(inner.snapshot().version == 2)
  }

  @Test func `a part's stream has only its own actions`() async throws {
    let inner = self.inner(of: self.right)
    var iterator = inner.makeStream().makeAsyncIterator()

    try self.store.dispatch(action: .left(1))
    try self.store.dispatch(action: .right(.inner(2)))
    try self.store.dispatch(action: .right(.other))
    try self.store.dispatch(action: .right(.inner(3)))

    let first = await iterator.next()
    let second = await iterator.next()
    #expect(first?.oldState == 0 && first?.action == 2)
    #expect(second?.oldState == 2 && second?.action == 3)
  }

  @Test func `a snapshot contains the actions since an older one`() throws {
    let inner = self.inner(of: self.right)
    try inner.dispatch(action: 1)
    let version = inner.snapshot().version
    try inner.dispatch(action: 2)
    try self.store.dispatch(action: .left(0))
    try inner.dispatch(action: 3)

    let actions = inner.snapshot().actions(since: version)

    #expect(actions?.map(\.action) == [2, 3])
    #expect(actions?.map(\.oldState) == [1, 2])
  }

  @Test func `a snapshot reports when its log does not go back far enough`() throws {
    for value in 0..<1_000 {
      try self.store.dispatch(action: .left(value))
    }

    let snapshot = self.store.snapshot()

    #expect(snapshot.actions(since: 0) == nil)
    #expect(snapshot.actions(since: 990)?.count == 10)
    #expect(snapshot.actions(since: 1_000)?.isEmpty == true)
  }
}

// Logs.
extension StoreScopeTests {
  @Test func `a part keeps its actions however many others were dispatched`() throws {
    let inner = self.inner(of: self.right)
    try inner.dispatch(action: 1)
    let version = inner.snapshot().version
    for value in 0..<1_000 {
      try self.store.dispatch(action: .left(value))
    }
    try inner.dispatch(action: 2)

    let actions = inner.snapshot().actions(since: version)

    #expect(actions?.map(\.action) == [2])
  }

  @Test func `a part reports when one of its own actions is no longer in its log`() throws {
    let inner = self.inner(of: self.right)
    for value in 0..<1_000 {
      try inner.dispatch(action: value)
    }

    #expect(inner.snapshot().actions(since: 0) == nil)
    #expect(inner.snapshot().actions(since: 998)?.map(\.action) == [998, 999])
  }

  @Test func `actions that every reader has seen are released`() throws {
    let inner = self.inner(of: self.right)
    try inner.dispatch(action: 1)
    try self.store.dispatch(action: .left(2))

    inner.releaseActions(through: inner.snapshot().version)
    inner.releaseRootActions()
    try self.store.dispatch(action: .left(3))

    #expect(self.store.snapshot().actions(since: 1) == nil)
    #expect(self.store.snapshot().actions(since: 2)?.count == 1)
    #expect(inner.snapshot().actions(since: 0) == nil)
    #expect(inner.snapshot().actions(since: 1)?.isEmpty == true)
  }

  @Test func `a part releases only its own log`() throws {
    let right = self.right
    let inner = self.inner(of: right)
    try inner.dispatch(action: 1)
    try self.store.dispatch(action: .left(2))

    inner.releaseActions(through: inner.snapshot().version)

    #expect(inner.snapshot().actions(since: 0) == nil)
    #expect(right.snapshot().actions(since: 0)?.count == 1)
    #expect(self.store.snapshot().actions(since: 0)?.count == 2)
  }

  @Test func `the whole releases only its own log`() throws {
    let right = self.right
    try right.dispatch(action: .inner(1))

    self.store.releaseActions(through: 1)

    #expect(self.store.snapshot().actions(since: 0) == nil)
    #expect(right.snapshot().actions(since: 0)?.count == 1)
  }

  @Test func `a part created later knows the actions since its creation`() throws {
    try self.store.dispatch(action: .right(.inner(1)))
    let right = self.right
    let before = right.snapshot()
    try right.dispatch(action: .inner(2))

    #expect(before.state.inner == 1)
    #expect(right.snapshot().actions(since: before.version)?.map(\.oldState.inner) == [1])
  }

  @Test func `a log keeps 8 MB of payloads, and the states of all its actions`() throws {
    let store = Store<Int, [String]>(initialState: 0, reducer: { state, _ in state + 1 })
    let part = store.scope(state: { $0 }, action: { $0 }, extract: { $0 })
    let megabyte = [String(repeating: "a", count: 1 << 20)]

    for _ in 0..<20 { try store.dispatch(action: megabyte) }

    for snapshot in [store.snapshot(), part.snapshot()] {
      #expect(snapshot.actions(since: 11) == nil)
      #expect(snapshot.actions(since: 16)?.count == 4)
      #expect(snapshot.oldStates(since: 0) == Array(0..<20))
      #expect(snapshot.state(at: 3) == 3)
    }
  }

  @Test func `a log keeps states with at most 32 MB of what came with their actions`() throws {
    let store = Store<[String], String>(initialState: [], reducer: { _, text in [text] })
    let part = store.scope(state: { $0 }, action: { $0 }, extract: { $0 })

    for _ in 0..<60 { try store.dispatch(action: String(repeating: "a", count: 1 << 20)) }

    for snapshot in [store.snapshot(), part.snapshot()] {
      let counts = (0..<60).compactMap { snapshot.oldStates(since: UInt64($0))?.count }
      #expect((15...32).contains(try #require(counts.max())))
      #expect(snapshot.oldStates(since: 55)?.count == 5)
    }
  }

  @Test func `a payload larger than the log's limit is kept only until the next action`() throws {
    final class Payload: Sendable {
      let text: String

      init(_ text: String) { self.text = text }
    }
    let store = Store<Int, Payload>(initialState: 0, reducer: { state, _ in state + 1 })
    let part = store.scope(state: { $0 }, action: { $0 }, extract: { $0 })
    weak var payload: Payload?

    try {
      let action = Payload(String(repeating: "a", count: 9 << 20))
      payload = action
      try store.dispatch(action: action)
    }()
    try store.dispatch(action: Payload("b"))

    #expect(payload == nil)
    for snapshot in [store.snapshot(), part.snapshot()] {
      #expect(snapshot.oldStates(since: 0) == [0, 1])
      #expect(snapshot.actions(since: 0) == nil)
      #expect(snapshot.actions(since: 1)?.map(\.action.text) == ["b"])
    }
  }

  @Test func `an action's payload is freed once its action is released`() throws {
    final class Payload: Sendable {}
    let store = Store<Int, Payload>(initialState: 0, reducer: { state, _ in state + 1 })
    weak var payload: Payload?
    try {
      let action = Payload()
      payload = action
      try store.dispatch(action: action)
    }()
    #expect(payload != nil)

    store.releaseActions(through: store.rootVersion)

    #expect(payload == nil)
  }

  @Test func `a part is signalled only for its own actions`() async throws {
    let inner = self.inner(of: self.right)
    let signal = inner.makeSignal()
    let everything = self.store.makeSignal()

    try self.store.dispatch(action: .left(1))
    try self.store.dispatch(action: .right(.other))

    var all = everything.makeAsyncIterator()
    await all.next()
    try inner.dispatch(action: 3)
    var own = signal.makeAsyncIterator()
    await own.next()
    // A signal of the others' would still be there.
    let another = Task { @MainActor in
      var iterator = signal.makeAsyncIterator()
      await iterator.next()
      return inner.state
    }
    await Task.yield()
    try inner.dispatch(action: 4)
    #expect(await another.value == 4)
  }
}
