import Synchronization

/// The elements that one listener has yet to deal with: a queue that never drops.
///
/// It grows with what the listener leaves, and ``count`` says by how much, so that whoever lets new
/// work in can refuse it while a listener is behind (the server answers 503).
final class StreamBuffer<Element: Sendable>: Sendable {
  private struct Contents {
    var elements: [Element] = []
    var head = 0
    var waiting: CheckedContinuation<Element?, Never>?
    var isFinished = false
    /// Whether the listener has an element that it is not done with: it will ask for the next then.
    var isLent = false

    /// Takes the oldest element; the space of those taken is given back in batches.
    mutating func popFirst() -> Element? {
      guard self.head < self.elements.count else { return nil }
      let element = self.elements[self.head]
      self.head += 1
      if self.head == self.elements.count {
        self.elements.removeAll(keepingCapacity: self.elements.count <= 64)
        self.head = 0
      } else if self.head >= 64, self.head * 2 >= self.elements.count {
        self.elements.removeFirst(self.head)
        self.head = 0
      }
      return element
    }
  }

  private let contents = Mutex(Contents())

  /// How many elements the listener is not done with: those that wait, and the one it has.
  var count: Int {
    self.contents.withLock { $0.elements.count - $0.head + ($0.isLent ? 1 : 0) }
  }

  /// Hands the element to the waiting listener, or keeps it until the listener asks.
  ///
  /// - Complexity: O(1), amortised.
  func append(_ element: Element) {
    let waiting = self.contents.withLock { contents -> CheckedContinuation<Element?, Never>? in
      guard contents.isFinished == false else { return nil }
      if let waiting = contents.waiting {
        contents.waiting = nil
        contents.isLent = true
        return waiting
      }
      contents.elements.append(element)
      return nil
    }
    waiting?.resume(returning: element)
  }

  /// Waits for the oldest element. Whoever asks is done with the one before.
  ///
  /// - Returns: `nil` once the buffer is finished and empty.
  /// - Complexity: O(1), amortised.
  func next() async -> Element? {
    await withCheckedContinuation { continuation in
      let element = self.contents.withLock { contents -> Element?? in
        contents.isLent = false
        if let element = contents.popFirst() {
          contents.isLent = true
          return .some(element)
        }
        if contents.isFinished || contents.waiting != nil {
          return .some(nil)
        }
        contents.waiting = continuation
        return nil
      }
      if let element {
        continuation.resume(returning: element)
      }
    }
  }

  /// Takes no more elements; the listener still gets those that wait.
  func finish() {
    let waiting = self.contents.withLock { contents -> CheckedContinuation<Element?, Never>? in
      contents.isFinished = true
      let waiting = contents.waiting
      contents.waiting = nil
      return waiting
    }
    waiting?.resume(returning: nil)
  }
}
