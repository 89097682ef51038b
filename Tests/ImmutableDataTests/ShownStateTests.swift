import Testing

@testable import ImmutableData

private struct Sum: Sendable {
  var value = 0
}

private enum SumAction: Hashable, Sendable {
  case add(Int)
}

private struct TooMuch: Error {}

@Sendable private func reduce(_ state: Sum, _ action: SumAction) throws -> Sum {
  guard case .add(let value) = action, value < 100 else { throw TooMuch() }
  return Sum(value: state.value + value)
}

/// A store that shows another state than its own.
@MainActor struct ShownStateTests {
  private let store = Store(initialState: Sum(), reducer: reduce)

  private var part: Store<Int, Int> {
    self.store.scope(
      state: { $0.value },
      action: { .add($0) },
      extract: { action in if case .add(let value) = action { value } else { nil } }
    )
  }

  private func dispatch(_ value: Int, from origin: ActionOrigin?) throws {
    try ActionOrigin.$current.withValue(origin) {
      try self.store.dispatch(action: .add(value))
    }
  }

  @Test func `snapshots have the shown state, and selects have the store's own state`()
    throws
  {
    try self.store.dispatch(action: .add(3))
    let part = self.part

    self.store.show(Sum(value: 1))

    #expect(self.store.snapshot().state.value == 1)
    #expect(part.snapshot().state == 1)
    #expect(self.store.select { $0.value } == 3)
    #expect(part.select { $0 } == 3)
    self.store.show(nil)
    #expect(self.store.snapshot().state.value == 3)
    #expect(part.snapshot().state == 3)
  }

  @Test func `a shown state has a new version that no action explains`() throws {
    let part = self.part
    try self.store.dispatch(action: .add(3))
    let (whole, own) = (self.store.snapshot().version, part.snapshot().version)

    self.store.show(Sum(value: 1))

    #expect(self.store.snapshot().version > whole)
    #expect(self.store.snapshot().actions(since: whole) == nil)
    #expect(part.snapshot().version > own)
    #expect(part.snapshot().actions(since: own) == nil)
    self.store.show(nil)
    let shown = self.store.snapshot().version
    try self.store.dispatch(action: .add(4))
    #expect(self.store.snapshot().actions(since: shown)?.map(\.action) == [.add(4)])
  }

  @Test func `showing a state signals readers but does not notify observers`() async throws {
    var signals = self.store.makeSignal().makeAsyncIterator()
    var observed: [SumAction] = []
    let observing = self.store.observe { _, action, _ in observed.append(action) }

    self.store.show(Sum(value: 1))
    await signals.next()
    self.store.show(nil)
    await signals.next()

    #expect(observed == [])
    withExtendedLifetime(observing) {}
  }

  @Test(arguments: [
    ActionOrigin.form(name: "add", path: "/", window: nil), .page(path: "/"),
  ])
  func `visitors' actions are refused and not recorded`(origin: ActionOrigin) throws {
    var recorded = 0
    self.store.record { _ in recorded += 1 }
    self.store.show(Sum(value: 1))

    #expect(throws: PastStateError.self) { try self.dispatch(2, from: origin) }

    #expect(self.store.state.value == 0)
    #expect(recorded == 0)
    self.store.show(nil)
    try self.dispatch(2, from: origin)
    #expect(self.store.state.value == 2)
  }

  @Test(arguments: [ActionOrigin.effect(name: "save", version: 1), .outside(name: "clock"), nil])
  func `actions of effects and outside events change the underlying state`(
    origin: ActionOrigin?
  ) throws {
    var observed: [Int] = []
    let observing = self.store.observe { old, _, _ in observed.append(old.value) }
    self.store.show(Sum(value: 7))
    let shown = self.store.snapshot().version

    try self.dispatch(2, from: origin)
    try self.dispatch(3, from: origin)

    #expect(observed == [0, 2])
    #expect(self.store.snapshot().state.value == 7)
    #expect(self.store.snapshot().version == shown)
    self.store.show(nil)
    #expect(self.store.snapshot().state.value == 5)
    #expect(self.store.snapshot().actions(since: shown) == nil)
    withExtendedLifetime(observing) {}
  }

  @Test func `the state after an action is computed without changing the store`() throws {
    #expect(try self.store.state(after: .add(2), in: Sum(value: 5)).value == 7)
    #expect(throws: TooMuch.self) { try self.store.state(after: .add(100), in: Sum()) }
    #expect(self.store.snapshot().version == 0)
  }
}
