import Testing

@testable import ImmutableData

private struct Overdrawn: Error {}

private enum Deposit: Sendable, Equatable {
  case paidIn(Int)
  case paidOut(Int)
}

private func reduce(_ balance: Int, _ action: Deposit) throws -> Int {
  switch action {
  case .paidIn(let amount):
    return balance + amount
  case .paidOut(let amount):
    guard amount <= balance else { throw Overdrawn() }
    return balance - amount
  }
}

@MainActor struct StoreTests {
  private let store = Store(initialState: 0, reducer: { try reduce($0, $1) })

  @Test func `dispatching an action sets the state that the reducer returns`() throws {
    try self.store.dispatch(action: .paidIn(3))

    #expect(self.store.state == 3)
    #expect(self.store.select { $0 * 2 } == 6)
  }

  @Test func `a reducer that throws changes nothing and yields to no stream`() async throws {
    var iterator = self.store.makeStream().makeAsyncIterator()

    #expect(throws: Overdrawn.self) { try self.store.dispatch(action: .paidOut(1)) }
    try self.store.dispatch(action: .paidIn(1))
    let element = await iterator.next()

    #expect(element?.oldState == 0)
    #expect(element?.action == .paidIn(1))
    #expect(self.store.snapshot().version == 1)
  }

  @Test func `every stream gets old state and action in the order of dispatch`() async throws {
    let streams = [self.store.makeStream(), self.store.makeStream()]

    for amount in 1...200 {
      try self.store.dispatch(action: .paidIn(amount))
    }

    for stream in streams {
      var iterator = stream.makeAsyncIterator()
      var sum = 0
      for amount in 1...200 {
        let element = await iterator.next()
        #expect(element?.oldState == sum)
        #expect(element?.action == .paidIn(amount))
        sum += amount
      }
    }
  }

  @Test func `a stream begins with the next action`() async throws {
    try self.store.dispatch(action: .paidIn(1))
    var iterator = self.store.makeStream().makeAsyncIterator()

    try self.store.dispatch(action: .paidIn(2))

    #expect(await iterator.next()?.action == .paidIn(2))
  }

  @Test func `a thunk selects and dispatches`() throws {
    try self.store.dispatch { dispatcher, selector in
      try MainActor.assumeIsolated {
        try dispatcher.dispatch(action: .paidIn(selector.state + 5))
      }
    }

    #expect(self.store.state == 5)
  }

  @Test func `an asynchronous thunk selects and dispatches`() async throws {
    try await self.store.dispatch { dispatcher, selector in
      try await dispatcher.dispatch(action: .paidIn(await selector.state + 4))
    }

    #expect(self.store.state == 4)
  }

  @Test func `the backlog says how far the slowest stream is behind`() async throws {
    var iterator = self.store.makeStream().makeAsyncIterator()

    try self.store.dispatch(action: .paidIn(1))
    try self.store.dispatch(action: .paidIn(1))
    #expect(self.store.backlog == 2)
    _ = await iterator.next()
    // Its reader has the first, and is not done with it.
    #expect(self.store.backlog == 2)
    _ = await iterator.next()

    #expect(self.store.backlog == 1)
  }

  @Test func `a signal fires once for any number of actions`() async throws {
    var iterator = self.store.makeSignal().makeAsyncIterator()

    for _ in 1...10 {
      try self.store.dispatch(action: .paidIn(1))
    }

    #expect(await iterator.next() != nil)
    try self.store.dispatch(action: .paidIn(1))
    #expect(await iterator.next() != nil)
  }
}
