import ImmutableData
import Testing

@MainActor struct DispatchTests {
  private struct Refused: Error {}

  private enum Action: Hashable, Sendable {
    case add(Int)
    case begin, didEnd
  }

  private let store: Store<Int, Action>

  init() {
    let reducer = Reducer<Int, Action> { (state: Int, action: Action) throws -> Int in
      guard case .add(let number) = action else { return state }
      if number == 0 { throw Refused() }
      return state + number
    }
    self.store = Store(initialState: 0, reducer: reducer)
  }

  @Test func `a recorder gets every action with its outcome`() throws {
    var recorded: [Dispatch<Int, Action>] = []
    self.store.record { recorded.append($0) }

    try self.store.dispatch(action: .add(2))
    #expect(throws: Refused.self) { try self.store.dispatch(action: .add(0)) }
    try self.store.dispatch(action: .add(3))

    #expect(recorded.map(\.action) == [.add(2), .add(0), .add(3)])
    #expect(recorded.map(\.oldState) == [0, 2, 2])
    #expect(recorded.map { try? $0.result.get() } == [2, nil, 5])
    #expect(recorded.map(\.version) == [1, 1, 2])
    #expect(recorded.allSatisfy { $0.origin == nil })
  }

  @Test func `a scope records its own actions with its own state`() throws {
    let part = self.store.scope(
      state: { "\($0)" },
      action: { (number: Int) in .add(number) },
      extract: { if case .add(let number) = $0 { number } else { nil } }
    )
    var recorded: [Dispatch<String, Int>] = []
    part.record { recorded.append($0) }

    try self.store.dispatch(action: .begin)
    try part.dispatch(action: 7)

    #expect(recorded.map(\.action) == [7])
    #expect(recorded.map(\.oldState) == ["0"])
    #expect(recorded.map { try? $0.result.get() } == ["7"])
  }

  @Test func `an effect's actions record which action began it`() async throws {
    let lanes = EffectLanes()
    let listening = lanes.listen(to: self.store) { _, _, action in
      guard action == .begin else { return [] }
      return [Effect("work") { dispatcher, _ in try await dispatcher.dispatch(action: .didEnd) }]
    }
    var recorded: [Dispatch<Int, Action>] = []
    self.store.record { recorded.append($0) }
    var iterator = self.store.makeStream().makeAsyncIterator()

    try self.store.dispatch(action: .add(1))
    try self.store.dispatch(action: .begin)
    while recorded.last?.action != .didEnd { _ = await iterator.next(isolation: #isolation) }

    #expect(recorded.last?.origin == .effect(name: "work", version: 2))
    withExtendedLifetime(listening) {}
  }
}
