import ImmutableData
import Observation
import TestSupport
import Testing

@testable import ImmutableUI

/// How often a store and the closures of a selector are asked, as the guide's chapter on
/// ImmutableUI has it.
@MainActor @Suite(.timeLimit(.minutes(20))) struct GuideDoublesTests {
  @Test func `dependencies are all selected and compared in order until the first change`() {
    let store = StoreDouble()
    let log = Transcript<String>()
    let listener = AsyncListener<Int, Int, Int, Int, Int>(
      label: "label",
      dependencySelector: DependencySelector(
        select: log.select("a"), didChange: log.didChange("a")),
      DependencySelector(select: log.select("b"), didChange: log.didChange("b")),
      outputSelector: OutputSelector(select: log.select("out"), didChange: log.didChange("out"))
    )

    for value in [0, 0, 1] {
      store.value = value
      listener.update(with: store)
      log.append("= \(listener.output)")
    }

    #expect(
      log.entries == [
        "a(0)", "b(0)", "out(0)", "= 0",
        "a(0)", "b(0)", "a 0 0", "b 0 0", "= 0",
        "a(1)", "b(1)", "a 0 1", "out(1)", "out 0 1", "= 1",
      ])
  }

  @Test func `outputs are compared with the last one selected, and kept when unchanged`() {
    let store = StoreDouble()
    let log = Transcript<String>()
    let listener = AsyncListener<Int, Int, Int>(
      outputSelector: OutputSelector(
        select: log.select("out"),
        didChange: { old, new in
          log.append("\(old) \(new)")
          return new - old > 1
        }
      )
    )

    for value in [0, 1, 2, 4] {
      store.value = value
      listener.update(with: store)
      log.append("= \(listener.output)")
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
    let log = Transcript<String>()
    let listener = AsyncListener<Int, Int, Int>(
      filter: { state, action in
        log.append("filter \(state) \(action)")
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
      outputSelector: OutputSelector(select: { $0 })
    )
    listener.listen(to: store)
    let (changes, change) = AsyncStream.makeStream(of: Void.self)
    withObservationTracking {
      _ = listener.output
    } onChange: {
      change.finish()
    }

    store.value = 7
    store.continuation.yield((oldState: 0, action: 1))
    store.continuation.finish()
    for await _ in changes {}

    #expect(listener.output == 7)
  }

  @Test func `losing the id selects anew, and having none keeps the selector`() {
    let store = StoreDouble()
    let listener = Listener<Int, Int, Int>(
      id: 1,
      outputSelector: OutputSelector(select: { $0 })
    )
    listener.listen(to: store)

    for offset in [30, 40] {
      listener.update(
        outputSelector: OutputSelector(select: { $0 + offset }))
      listener.listen(to: store)
    }

    #expect(listener.output == 30)
    #expect(store.log == ["select", "stream", "select", "stream"])
  }

  @Test func `a listener that goes lets go of its store`() async throws {
    var store: Store<Int, Int>? = Store(initialState: 0) { $0 + $1 }
    let stream = try #require(store?.makeStream())
    var listener: Listener<Int, Int, Int>? = Listener(
      outputSelector: OutputSelector(select: { $0 }))
    if let store { listener?.listen(to: store) }
    try store?.dispatch(action: 1)

    (store, listener) = (nil, nil)

    // The stream ends with the store.
    for await (_, action) in stream { #expect(action == 1) }
  }

  @Test func `a listener that returns to a store selects and listens anew`() {
    let first = StoreDouble()
    let second = StoreDouble()
    let listener = Listener<Int, Int, Int>(outputSelector: OutputSelector(select: { $0 }))

    for (value, store) in [first, second, first].enumerated() {
      store.value = value
      listener.listen(to: store)
      #expect(listener.output == value)
    }

    #expect(first.log == ["select", "stream", "select", "stream"])
    #expect(second.log == ["select", "stream"])
  }

  @Test func `a listener that goes or moves to another store cancels its stream`() async {
    let first = StoreDouble()
    let second = StoreDouble()
    var listener: Listener<Int, Int, Int>? = Listener(
      outputSelector: OutputSelector(select: { $0 })
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

extension Transcript<String> {
  fileprivate func select(_ name: String) -> @Sendable (Int) -> Int {
    { state in
      self.append("\(name)(\(state))")
      return state
    }
  }

  fileprivate func didChange(_ name: String) -> @Sendable (Int, Int) -> Bool {
    { old, new in
      self.append("\(name) \(old) \(new)")
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
extension OutputSelector {
  fileprivate init(
    select: @escaping @Sendable (State) -> Output
  ) where Output: Equatable {
    self.init(select: select, didChange: { $0 != $1 })
  }
}
