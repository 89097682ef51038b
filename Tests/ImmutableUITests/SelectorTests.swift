import HTMLTemplates
import ImmutableData
import Synchronization
import TestSupport
import Testing

@testable import ImmutableUI

private struct Sums: Sendable {
  var left = 0
  var right = 0
}

private enum SumsAction: Sendable {
  case left(Int)
  case right(Int)
}

private func reduce(_ state: Sums, _ action: SumsAction) -> Sums {
  var state = state
  switch action {
  case .left(let value): state.left = value
  case .right(let value): state.right = value
  }
  return state
}

/// Counts how often a selector runs.
private final class Counter: Sendable {
  private let count = Mutex(0)

  var value: Int { self.count.withLock { $0 } }

  func add() { self.count.withLock { $0 += 1 } }
}

@MainActor struct SelectorTests {
  private let store = Store<Sums, SumsAction>(initialState: Sums(), reducer: { reduce($0, $1) })
  private let runs = Counter()

  private var output: OutputSelector<Sums, Int> {
    let runs = self.runs
    return OutputSelector { state in
      runs.add()
      return state.left + state.right
    }
  }

  @Test func `without dependencies the output runs for every action`() async throws {
    let listener = Listener<Sums, SumsAction, Int>(outputSelector: self.output)
    listener.listen(to: self.store)
    #expect(listener.output == 0)

    try self.store.dispatch(action: .left(3))
    try self.store.dispatch(action: .right(4))
    await self.until { self.runs.value == 3 }

    #expect(listener.output == 7)
  }

  @Test func `with dependencies the output runs when one has changed`() async throws {
    let seen = Counter()
    let listener = Listener<Sums, SumsAction, Int, Int>(
      dependencySelector: DependencySelector { state in
        seen.add()
        return state.left
      },
      outputSelector: self.output
    )
    listener.listen(to: self.store)

    try self.store.dispatch(action: .right(4))
    try self.store.dispatch(action: .left(0))
    await self.until { seen.value == 3 }
    #expect(self.runs.value == 1)
    try self.store.dispatch(action: .left(1))
    await self.until { seen.value == 4 }

    #expect(self.runs.value == 2)
    #expect(listener.output == 5)
  }

  @Test func `a filter keeps actions from the dependencies`() async throws {
    let seen = Counter()
    let listener = Listener<Sums, SumsAction, Int, Int>(
      filter: { _, action in if case .left = action { true } else { false } },
      dependencySelector: DependencySelector { state in
        seen.add()
        return state.left
      },
      outputSelector: self.output
    )
    listener.listen(to: self.store)

    try self.store.dispatch(action: .right(4))
    try self.store.dispatch(action: .left(1))
    await self.until { seen.value == 2 }

    #expect(listener.output == 5)
  }

  @Test func `a new id selects again, the same id does not`() {
    let listener = Listener<Sums, SumsAction, Int>(id: 1, outputSelector: OutputSelector { _ in 1 })
    listener.listen(to: self.store)

    listener.update(id: 1, outputSelector: OutputSelector { _ in 2 })
    listener.listen(to: self.store)
    #expect(listener.output == 1)
    listener.update(id: 2, outputSelector: OutputSelector { _ in 3 })
    listener.listen(to: self.store)

    #expect(listener.output == 3)
  }

  @Test func `an output that did not change by its own comparison stays`() {
    var memo = Memo<Int, Int>(
      outputSelector: OutputSelector(select: { $0 }, didChange: { abs($0 - $1) > 1 })
    )

    #expect(memo.update(0) == true)
    #expect(memo.update(1) == false)
    #expect(memo.output == 0)
    #expect(memo.update(3) == true)
    #expect(memo.output == 3)
  }

  @Test func `one changed dependency of several is enough`() {
    var memo = Memo<Sums, Int, Int, Int>(
      dependencySelector: DependencySelector { $0.left },
      DependencySelector { $0.right },
      outputSelector: self.output
    )

    #expect(memo.update(Sums()) == true)
    #expect(memo.update(Sums()) == false)
    #expect(memo.update(Sums(left: 0, right: 1)) == true)
    #expect(memo.update(Sums(left: 1, right: 0)) == false)
    #expect(self.runs.value == 3)
  }

  @Test func `a frame's memo passes every action since the last to the filter`() throws {
    let memo = StoreMemo<Sums, SumsAction, Int, Int>(
      label: "Filtered",
      filter: { old, action in
        old.left == 0 && { if case .left = $0 { true } else { false } }(action)
      },
      memo: Memo(
        dependencySelector: DependencySelector { $0.left },
        outputSelector: self.output
      )
    )
    let counters = FrameCounters()
    let first = memo.update(in: self.scope(counters))

    try self.store.dispatch(action: .right(1))
    #expect(memo.update(in: self.scope(counters)) == first)
    #expect(counters.current.filterRefusals == 1)
    try self.store.dispatch(action: .left(5))
    try self.store.dispatch(action: .right(2))

    #expect(memo.update(in: self.scope(counters)) == first + 1)
    #expect(memo.output == 7)
  }

  @Test func `an audit finds a filter that wrongly refuses an action`() throws {
    let memo = StoreMemo<Sums, SumsAction, Int>(
      label: "Wrong",
      filter: { _, _ in false },
      memo: Memo(outputSelector: self.output)
    )
    let counters = FrameCounters(isAuditing: true)
    _ = memo.update(in: self.scope(counters))

    try self.store.dispatch(action: .left(1))
    _ = memo.update(in: self.scope(counters))

    #expect(counters.takeFindings().count == 1)
  }

  private func scope(_ counters: FrameCounters) -> RenderScope<Sums, SumsAction> {
    RenderScope(
      snapshot: self.store.snapshot(),
      memos: MemoTable(),
      templates: TemplateSet(library: TemplateLibrary(sources: [:])),
      counters: counters
    )
  }

  private func until(_ condition: () -> Bool) async {
    while condition() == false { await letOthersGoOn() }
  }
}
