import TestSupport
import Testing

@testable import ImmutableData

/// What a caller of the guide's first chapter may write, and what it may rely on.
@MainActor @Suite(.timeLimit(.minutes(20))) struct GuideDoublesTests {
  @Test func `streams are AsyncStreams of labelled tuples`() async throws {
    let store = Store(initialState: Total(), reducer: Total.reduce)
    let stream: AsyncStream<(oldState: Total, action: Int)> = store.makeStream()
    var iterator = stream.makeAsyncIterator()

    try store.dispatch(action: 2)

    let element = try #require(await iterator.next())
    #expect(element.oldState == Total(value: 0))
    #expect(element.action == 2)
    #expect(store.state == Total(value: 2))
  }

  @Test func `streams end with their store`() async throws {
    var store: Store<Total, Int>? = Store(initialState: Total(), reducer: Total.reduce)
    let stream = try #require(store?.makeStream())

    try store?.dispatch(action: 1)
    store = nil

    var actions: [Int] = []
    for await (_, action) in stream {
      actions.append(action)
    }
    #expect(actions == [1])
  }

  @Test func `a thunk gets the store twice, on the main actor`() async throws {
    let store = Store(initialState: Total(), reducer: Total.reduce)
    let calls = Transcript<String>()

    func dispatch() {
      store.dispatch { (dispatcher: Store<Total, Int>, selector: Store<Total, Int>) in
        calls.append("synchronous")
        #expect(dispatcher === store)
        #expect(selector === store)
      }
    }
    dispatch()
    try await store.dispatch {
      (dispatcher: Store<Total, Int>, selector: Store<Total, Int>) async throws in
      calls.append("asynchronous")
      try await dispatcher.dispatch(action: 4)
      await #expect(selector.state == Total(value: 4))
    }

    #expect(calls.entries == ["synchronous", "asynchronous"])
    #expect(store.select { state in state.value } == 4)
  }

  @Test func `thunks need not escape, and what they throw comes back`() async {
    let store = Store(initialState: Total(), reducer: Total.reduce)
    func dispatch(_ thunk: @Sendable (Store<Total, Int>, Store<Total, Int>) throws -> Void) throws {
      try store.dispatch(thunk: thunk)
    }
    func dispatch(
      _ thunk: @Sendable (Store<Total, Int>, Store<Total, Int>) async throws -> Void
    ) async throws {
      try await store.dispatch(thunk: thunk)
    }

    #expect(throws: Refused()) { try dispatch { _, _ in throw Refused() } }
    await #expect(throws: Refused()) {
      try await dispatch { _, _ async throws in
        await Task.yield()
        throw Refused()
      }
    }
  }

  @Test func `reducers, selectors and thunks are given as functions of types`() throws {
    let store = ImmutableData.Store(initialState: Total(), reducer: Total.reduce)
    let dispatch: (Int) throws -> Void = store.dispatch

    try dispatch(5)

    #expect(store.select(Total.selectValue()) == 5)
    #expect(value(store) == 5)
  }

  @Test func `a double with exactly the guide's requirements is a store`() async throws {
    let double = StoreDouble()

    try await use(double)

    #expect(double.log == ["action 1", "thunk", "async thunk", "select", "stream"])
  }

  private func value(_ store: some ImmutableData.Selector<Total>) -> Int {
    store.state.value
  }

  private func use(
    _ store: some ImmutableData.Dispatcher<Total, Int> & ImmutableData.Selector<Total>
      & ImmutableData.Streamer<Total, Int> & AnyObject
  ) async throws {
    try store.dispatch(action: 1)
    func dispatch() { store.dispatch(thunk: { _, _ in }) }
    dispatch()
    await store.dispatch(thunk: { _, _ async in await Task.yield() })
    #expect(store.state == Total(value: 9))
    for try await _ in store.makeStream() {}
  }
}

private struct Refused: Error, Equatable {}

private struct Total: Equatable, Sendable {
  var value = 0

  @Sendable static func reduce(state: Self, action: Int) throws -> Self {
    guard action >= 0 else { throw Refused() }
    return Self(value: state.value + action)
  }

  static func selectValue() -> @Sendable (Self) -> Int {
    { state in state.value }
  }
}

@MainActor
private final class StoreDouble: ImmutableData.Dispatcher, ImmutableData.Selector, Streamer {
  typealias State = Total
  typealias Action = Int

  struct Stream: AsyncSequence, Sendable {
    struct AsyncIterator: AsyncIteratorProtocol {
      mutating func next() async throws -> (oldState: Total, action: Int)? { nil }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator() }
  }

  var log: [String] = []

  func dispatch(action: Int) throws {
    self.log.append("action \(action)")
  }

  func dispatch(thunk: @Sendable (StoreDouble, StoreDouble) throws -> Void) rethrows {
    self.log.append("thunk")
    try thunk(self, self)
  }

  func dispatch(thunk: @Sendable (StoreDouble, StoreDouble) async throws -> Void) async rethrows {
    self.log.append("async thunk")
    try await thunk(self, self)
  }

  func select<T>(_ selector: @Sendable (Total) -> T) -> T where T: Sendable {
    self.log.append("select")
    return selector(Total(value: 9))
  }

  func makeStream() -> Stream {
    self.log.append("stream")
    return Stream()
  }
}
