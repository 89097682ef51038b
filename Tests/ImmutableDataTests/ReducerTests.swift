import TestSupport
import Testing

@testable import ImmutableData

private struct Refusal: Error {}

private struct App: Hashable, Sendable {
  var left = 0
  var right = 0
}

private enum AppAction: Sendable {
  case left(Int)
  case right(Int)
}

private let left = Cursor(state: \App.left, action: AppAction.left) {
  if case .left(let value) = $0 { value } else { nil }
}
private let right = Cursor(state: \App.right, action: AppAction.right) {
  if case .right(let value) = $0 { value } else { nil }
}

/// Adds; refuses what is negative; answers a ten with an effect that adds one more.
private let sum = Reducer<Int, Int>(updating: { state, action in
  guard action >= 0 else { throw Refusal() }
  return Update(
    state + action,
    effects: action == 10 ? [.dispatching(1)] : [],
    transition: action == 10 ? Transition("ten") : nil
  )
})

private let app = Reducer<App, AppAction>.combine(sum.pullback(left), sum.pullback(right))

@Suite(.timeLimit(.minutes(20))) @MainActor struct ReducerTests {
  private let store = Store(initialState: App(), lanes: EffectLanes(), reducer: app)

  @Test func `each part is reduced by its own reducer`() throws {
    #expect(
      try app.reduce(state: App(left: 1, right: 2), action: .right(3)) == App(left: 1, right: 5))
  }

  @Test func `an action that one part refuses is refused`() {
    #expect(throws: Refusal.self) { try app.reduce(state: App(), action: .left(-1)) }
  }

  @Test func `combined reducers of one action run in order`() throws {
    let twice = Reducer.combine(sum, sum)

    let update = try twice.update(0, 10)

    #expect(update.state == 20)
    #expect(update.effects.count == 2)
    #expect(update.transition == Transition("ten"))
  }

  @Test func `a reducer is given transitions`() throws {
    let reducer = sum.transition { $0 == 1 ? Transition("one") : nil }

    #expect(try reducer.update(0, 1).transition == Transition("one"))
    #expect(try reducer.update(0, 2).transition == nil)
    #expect(try reducer.update(0, 10).transition == Transition("ten"))
  }

  @Test func `a part's effect dispatches actions of the whole`() async throws {
    var iterator = self.store.makeStream().makeAsyncIterator()

    try self.store.dispatch(action: .right(10))
    while self.store.state.right != 11 { _ = await iterator.next(isolation: #isolation) }

    #expect(self.store.state == App(left: 0, right: 11))
  }

  @Test func `an update's transition is available with its action`() throws {
    let part = self.store.scope(right)

    try self.store.dispatch(action: .right(10))

    #expect(self.store.snapshot().actions(since: 0)?.map(\.transition) == [Transition("ten")])
    #expect(part.snapshot().actions(since: 0)?.map(\.transition) == [Transition("ten")])
  }

  @Test func `an action that changes nothing is left out of the snapshot's log`() async throws {
    let part = self.store.scope(left)
    let other = self.store.scope(right)
    var iterator = self.store.makeStream().makeAsyncIterator()

    try self.store.dispatch(action: .left(0))

    #expect(await iterator.next(isolation: #isolation)?.oldState == App())
    #expect(self.store.snapshot().actions(since: 0)?.isEmpty == true)
    // So that whoever waits for the version of this action sees it.
    #expect(part.snapshot().version == 1)
    #expect(part.snapshot().actions(since: 0)?.isEmpty == true)
    #expect(other.snapshot().version == 0)
    #expect(self.store.rootVersion == 1)
  }

  @Test func `a view store shows a part and sends its actions`() throws {
    let part = self.store.viewStore(get: { $0.right }, tag: { .right($0) })
    let doubled = part.viewStore(get: { $0 * 2 }, tag: { (text: String) in text.count })

    try doubled.dispatch(action: "abc")

    #expect(doubled.state == 6)
    #expect(self.store.state == App(left: 0, right: 3))
  }

  @Test func `a cursor sets only its part`() {
    #expect(right.set(App(left: 1, right: 2), 5) == App(left: 1, right: 5))
    #expect(right.get(App(left: 1, right: 2)) == 2)
  }
}
