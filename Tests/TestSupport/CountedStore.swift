public import ImmutableData

/// A store with a fixed state that logs what a listener asks. It runs thunks against a dispatcher
/// and a selector of their own.
@MainActor
public final class CountedStore<State: Sendable, Action: Sendable>:
  Dispatcher, Selector, Streamer
{
  public typealias Element = (oldState: State, action: Action)

  public private(set) var log: [String] = []
  public let continuation: AsyncStream<Element>.Continuation
  private let state: State
  private let elements: AsyncStream<Element>
  private let ends: AsyncStream<Void>
  private let end: AsyncStream<Void>.Continuation

  public init(state: State) {
    self.state = state
    (self.elements, self.continuation) = AsyncStream.makeStream()
    (self.ends, self.end) = AsyncStream.makeStream()
  }

  /// Returns when the listener has read the end of its stream, or cancelled it.
  public func finished() async {
    for await _ in self.ends {}
  }

  public func dispatch(action: Action) throws {
    self.log.append("action")
  }

  public func dispatch(
    thunk: @Sendable (CountedDispatcher<State, Action>, CountedSelector<State>) throws -> Void
  ) rethrows {
    self.log.append("synchronous thunk")
  }

  public func dispatch(
    thunk: @Sendable (CountedDispatcher<State, Action>, CountedSelector<State>) async throws -> Void
  ) async rethrows {
    self.log.append("thunk")
    try await thunk(CountedDispatcher(), CountedSelector(self.state))
  }

  public func select<T>(_ selector: @Sendable (State) -> T) -> T where T: Sendable {
    self.log.append("select")
    return selector(self.state)
  }

  public func makeStream() -> Reported {
    self.log.append("stream")
    return Reported(elements: self.elements, end: self.end)
  }

  /// A stream that tells when its end has been read.
  public struct Reported: AsyncSequence, AsyncIteratorProtocol, Sendable {
    public typealias Element = CountedStore.Element

    fileprivate let elements: AsyncStream<Element>
    fileprivate let end: AsyncStream<Void>.Continuation

    public func makeAsyncIterator() -> Self { self }

    public func next() async throws -> Element? {
      for await element in self.elements { return element }
      self.end.finish()
      return nil
    }
  }
}
