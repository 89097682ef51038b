import Synchronization

/// Keeps the streams of a ``Store`` and hands every element to each of them.
///
/// A stream is removed when it ends: when its last copy is released, or when the task that reads it
/// is cancelled. Elements wait in one ``StreamBuffer`` per stream; none is dropped.
///
/// Source: the guide, chapter ImmutableData, section Streamer.
@MainActor final class StreamRegistrar<Element>: Sendable where Element: Sendable {
  /// One stream, as the registrar sees it.
  private struct Subscriber: Sendable {
    let append: @MainActor @Sendable (Element, _ node: String?) -> Void
    /// For a stream of signals.
    var signal: @Sendable () -> Void = {}
    var finish: @Sendable () -> Void = {}
    var backlog: @Sendable () -> Int = { 0 }
  }

  private struct Contents {
    var count = 0
    /// In the order in which they were added, which is that in which they get each element.
    var subscribers: [(id: Int, subscriber: Subscriber)] = []
  }

  private let contents = Mutex(Contents())

  deinit {
    for (_, subscriber) in self.contents.withLock({ $0.subscribers }) {
      subscriber.finish()
    }
  }
}

extension StreamRegistrar {
  /// Makes a stream of all elements from now on.
  func makeStream() -> AsyncStream<Element> {
    self.makeStream { element in element }
  }

  /// Makes a stream of the transformed elements from now on, without those for which `transform`
  /// returns `nil`.
  func makeStream<T: Sendable>(
    _ transform: @escaping @Sendable (Element) -> T?
  ) -> AsyncStream<T> {
    let buffer = StreamBuffer<T>()
    let id = self.add(
      Subscriber(
        append: { element, node in
          // Its reader acts on them, which another process does for its own.
          guard node == nil, let element = transform(element) else { return }
          buffer.append(element)
        },
        finish: { buffer.finish() },
        backlog: { buffer.count }
      )
    )
    let lifetime = Subscription { [weak self] in
      buffer.finish()
      self?.remove(id)
    }
    return AsyncStream(
      unfolding: {
        withExtendedLifetime(lifetime) {}
        return await buffer.next()
      },
      onCancel: { [weak lifetime] in lifetime?.end() }
    )
  }

  /// Makes a stream that signals that there were included elements. Elements that come while nobody
  /// reads the stream are coalesced into one signal.
  func makeSignal(
    _ isIncluded: @escaping @Sendable (Element) -> Bool
  ) -> AsyncStream<Void> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Void.self,
      bufferingPolicy: .bufferingNewest(1)
    )
    let id = self.add(
      Subscriber(
        append: { element, _ in if isIncluded(element) { continuation.yield() } },
        signal: { continuation.yield() },
        finish: { continuation.finish() }
      )
    )
    continuation.onTermination = { [weak self] _ in self?.remove(id) }
    return stream
  }

  /// Calls back for every element from now on, before ``yield(_:from:)`` returns, with the other
  /// process that it came from, if any.
  func observe(
    _ body: @escaping @MainActor @Sendable (Element, _ node: String?) -> Void
  ) -> Subscription {
    let id = self.add(Subscriber(append: body))
    return Subscription { [weak self] in self?.remove(id) }
  }

  /// Hands the element to every stream.
  ///
  /// - Parameter node: The other process that it came from. Streams do not receive such elements.
  /// - Complexity: O(k), k streams.
  func yield(_ element: Element, from node: String? = nil) {
    for (_, subscriber) in self.contents.withLock({ $0.subscribers }) {
      subscriber.append(element, node)
    }
  }

  /// Signals without an element; streams of elements are not notified.
  ///
  /// - Complexity: O(k), k streams.
  func signal() {
    for (_, subscriber) in self.contents.withLock({ $0.subscribers }) { subscriber.signal() }
  }

  /// The number of elements that the slowest stream's reader has not finished with.
  nonisolated var backlog: Int {
    self.contents.withLock { $0.subscribers }.lazy.map { $0.subscriber.backlog() }.max() ?? 0
  }

  /// The number of streams that have not ended.
  nonisolated var streamCount: Int {
    self.contents.withLock { $0.subscribers.count }
  }
}

extension StreamRegistrar {
  private nonisolated func add(_ subscriber: Subscriber) -> Int {
    self.contents.withLock { contents in
      contents.count += 1
      contents.subscribers.append((id: contents.count, subscriber: subscriber))
      return contents.count
    }
  }

  private nonisolated func remove(_ id: Int) {
    self.contents.withLock { contents in
      contents.subscribers.removeAll { $0.id == id }
    }
  }
}
