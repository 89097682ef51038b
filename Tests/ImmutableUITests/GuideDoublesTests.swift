import ImmutableData
import Observation
import Synchronization
import Testing

@testable import ImmutableUI

/// How often a store and the closures of a selector are asked, as the guide's chapter on
/// ImmutableUI has it.
@MainActor struct GuideDoublesTests {
  @Test func `dependencies are all selected and compared in order until the first change`() {
    let store = StoreDouble()
    let log = Log()
    let listener = AsyncListener<Int, Int, Int, Int, Int>(
      label: "label",
      dependencySelector: DependencySelector(
        select: log.select("a"), didChange: log.didChange("a")),
      DependencySelector(select: log.select("b"), didChange: log.didChange("b")),
      outputSelector: OutputSelector(select: log.select("out"), didChange: log.didChange("out"))
    )

    listener.update(with: store)
    log.entries = []
    listener.update(with: store)
    #expect(log.entries == ["a(0)", "b(0)", "a 0 0", "b 0 0"])

    log.entries = []
    store.value = 1
    listener.update(with: store)
    #expect(log.entries == ["a(1)", "b(1)", "a 0 1", "out(1)", "out 0 1"])
    #expect(listener.output == 1)
  }

  @Test func `outputs are compared with the last one selected, and kept when unchanged`() {
    let store = StoreDouble()
    let log = Log()
    let listener = AsyncListener<Int, Int, Int>(
      outputSelector: OutputSelector(
        select: log.select("out"),
        didChange: { old, new in
          log.entries.append("\(old) \(new)")
          return new - old > 1
        }
      )
    )

    for value in [0, 1, 2, 4] {
      store.value = value
      listener.update(with: store)
      log.entries.append("= \(listener.output)")
    }

    #expect(
      log.entries == [
        "out(0)", "= 0", "out(1)", "0 1", "= 0", "out(2)", "1 2", "= 0", "out(4)", "2 4", "= 4",
      ])
  }

  @Test func `the filter is asked once for each element, and refused elements select nothing`()
    async throws
  {
    let store = StoreDouble()
    let log = Log()
    let listener = AsyncListener<Int, Int, Int>(
      filter: { state, action in
        log.entries.append("filter \(state) \(action)")
        return action > 1
      },
      outputSelector: OutputSelector(select: log.select("out"), didChange: log.didChange("out"))
    )
    let (stream, continuation) = AsyncStream.makeStream(of: (oldState: Int, action: Int).self)
    for action in 1...3 {
      continuation.yield((oldState: action * 10, action: action))
    }
    continuation.finish()

    try await listener.listen(to: stream, with: store)

    #expect(
      log.entries == [
        "filter 10 1", "filter 20 2", "out(0)", "filter 30 3", "out(0)", "out 0 0",
      ])
  }

  @Test func `the first output already tells its observers`() async {
    let store = StoreDouble()
    let listener = Listener<Int, Int, Int>(
      outputSelector: OutputSelector(select: { $0 }, didChange: { $0 != $1 })
    )
    listener.listen(to: store)
    let didChange = Log()
    withObservationTracking {
      _ = listener.output
    } onChange: {
      didChange.entries.append("changed")
    }

    store.value = 7
    store.continuation.yield((oldState: 0, action: 1))
    store.continuation.finish()
    while didChange.entries.isEmpty {
      await Task.yield()
    }

    #expect(didChange.entries == ["changed"])
  }

  @Test func `losing the id selects anew, and having none keeps the selector`() {
    let store = StoreDouble()
    let listener = Listener<Int, Int, Int>(
      id: 1,
      outputSelector: OutputSelector(select: { $0 }, didChange: { $0 != $1 })
    )
    listener.listen(to: store)

    for offset in [30, 40] {
      listener.update(
        outputSelector: OutputSelector(select: { $0 + offset }, didChange: { $0 != $1 }))
      listener.listen(to: store)
    }

    #expect(listener.output == 30)
    #expect(store.log == ["select", "stream", "select", "stream"])
  }

  @Test func `a product may have defaults for equatable values`() {
    let store = StoreDouble()
    let listener = Listener<Int, Int, Int, Int>(
      dependencySelector: DependencySelector(select: { $0 }),
      outputSelector: OutputSelector(select: { $0 + 1 })
    )

    listener.listen(to: store)

    #expect(listener.output == 1)
  }

  @Test func `a listener that goes or moves to another store cancels its stream`() async {
    let first = StoreDouble()
    let second = StoreDouble()
    var listener: Listener<Int, Int, Int>? = Listener(
      outputSelector: OutputSelector(select: { $0 }, didChange: { $0 != $1 })
    )

    listener?.listen(to: first)
    listener?.listen(to: second)
    await first.ended()

    listener = nil
    await second.ended()
    #expect(first.log == ["select", "stream"])
    #expect(second.log == ["select", "stream"])
  }
}

private final class Log: Sendable {
  private let log = Mutex<[String]>([])

  var entries: [String] {
    get { self.log.withLock { $0 } }
    set { self.log.withLock { $0 = newValue } }
  }

  func select(_ name: String) -> @Sendable (Int) -> Int {
    { state in
      self.entries.append("\(name)(\(state))")
      return state
    }
  }

  func didChange(_ name: String) -> @Sendable (Int, Int) -> Bool {
    { old, new in
      self.entries.append("\(name) \(old) \(new)")
      return old != new
    }
  }
}

@MainActor private final class StoreDouble: ImmutableData.Selector, Streamer {
  typealias State = Int
  typealias Action = Int

  var log: [String] = []
  var value = 0
  let stream: AsyncStream<(oldState: Int, action: Int)>
  let continuation: AsyncStream<(oldState: Int, action: Int)>.Continuation
  private let ends: AsyncStream<Void>

  init() {
    (self.stream, self.continuation) = AsyncStream.makeStream()
    let (ends, end) = AsyncStream.makeStream(of: Void.self)
    self.ends = ends
    self.continuation.onTermination = { _ in end.finish() }
  }

  func ended() async {
    for await _ in self.ends {}
  }

  func select<T>(_ selector: @Sendable (Int) -> T) -> T where T: Sendable {
    self.log.append("select")
    return selector(self.value)
  }

  func makeStream() -> AsyncStream<(oldState: Int, action: Int)> {
    self.log.append("stream")
    return self.stream
  }
}

// As each product of the guide has it.
extension DependencySelector {
  fileprivate init(
    select: @escaping @Sendable (State) -> Dependency
  ) where Dependency: Equatable {
    self.init(select: select, didChange: { $0 != $1 })
  }
}

extension OutputSelector {
  fileprivate init(
    select: @escaping @Sendable (State) -> Output
  ) where Output: Equatable {
    self.init(select: select, didChange: { $0 != $1 })
  }
}
