import ImmutableData
import Testing

@testable import ImmutableUI

/// A store whose stream is read step by step, and which records what is selected.
@MainActor private final class SteppedStore: ImmutableData.Selector, Streamer {
  typealias State = Int
  typealias Action = String

  /// Hands out an element when it is sent, and knows when the next is asked for.
  struct Stream: AsyncSequence, AsyncIteratorProtocol, Sendable {
    typealias Element = (oldState: Int, action: String)

    private let elements = AsyncStream<Element>.makeStream()
    private let questions = AsyncStream<Void>.makeStream()

    func makeAsyncIterator() -> Stream { self }

    func next() async throws -> Element? {
      self.questions.continuation.yield()
      for await element in self.elements.stream { return element }
      return nil
    }

    /// Waits until the reader has asked, so that what it did before has ended.
    func wait() async {
      for await _ in self.questions.stream { break }
    }

    func send(_ element: Element) async {
      self.elements.continuation.yield(element)
      await self.wait()
    }
  }

  var number = 1
  private(set) var selected: [String] = []
  private(set) var streams: [Stream] = []

  func select<T>(_ selector: @Sendable (Int) -> T) -> T where T: Sendable {
    self.selected.append("\(T.self)")
    return selector(self.number)
  }

  func makeStream() -> Stream {
    self.streams.append(Stream())
    return self.streams[self.streams.count - 1]
  }
}

/// The guide's listener, with the doubles that a test of the guide has.
@MainActor struct ListenerTests {
  private let store = SteppedStore()

  private func listener() -> Listener<Int, String, Bool, Int> {
    Listener(
      id: 1,
      label: "tens",
      filter: { _, action in action != "refused" },
      dependencySelector: DependencySelector(select: { $0 > 9 }, didChange: { $0 != $1 }),
      outputSelector: OutputSelector(select: { $0 * 10 }, didChange: { $0 != $1 }))
  }

  @Test func `it selects at once, and after each action that its filter passes`() async throws {
    let listener = self.listener()

    listener.listen(to: self.store)
    listener.listen(to: self.store)
    let stream = try #require(self.store.streams.first)
    await stream.wait()
    #expect(listener.output == 10)

    self.store.number = 2
    await stream.send((oldState: 1, action: "passed"))
    #expect(listener.output == 10)

    self.store.number = 12
    await stream.send((oldState: 2, action: "refused"))
    #expect(listener.output == 10)
    await stream.send((oldState: 2, action: "passed"))
    #expect(listener.output == 120)

    #expect(self.store.streams.count == 1)
    #expect(self.store.selected == ["Bool", "Int", "Bool", "Bool", "Int"])
  }

  @Test func `another id replaces its parameters, and listens again`() async throws {
    let listener = self.listener()
    listener.listen(to: self.store)

    for id in [1, 2] {
      listener.update(
        id: id,
        dependencySelector: DependencySelector(select: { $0 > 9 }, didChange: { $0 != $1 }),
        outputSelector: OutputSelector(select: { $0 * 100 }, didChange: { $0 != $1 }))
      listener.listen(to: self.store)
      #expect(listener.output == (id == 1 ? 10 : 100))
    }

    #expect(self.store.streams.count == 2)
  }
}
