import Synchronization

/// The elements that one listener has not processed yet: a queue that never drops.
///
/// It grows while the listener is behind. ``count`` is its length, so that a server can refuse new
/// work (503) while a listener is too far behind.
final class StreamBuffer<Element: Sendable>: Sendable {
  private struct Contents {
    var elements: [Element] = []
    var head = 0
    var waiting: CheckedContinuation<Element?, Never>?
    var isFinished = false
    /// Whether the listener is still processing an element. It asks for the next when it has
    /// finished.
    var isLent = false

    /// Removes the oldest element. The space of removed elements is freed in batches.
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

  /// The number of waiting elements, plus the one that the listener is processing.
  var count: Int {
    self.contents.withLock { $0.elements.count - $0.head + ($0.isLent ? 1 : 0) }
  }

  /// Hands the element to the listener if it waits, otherwise keeps it until the listener asks.
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

  /// Waits for the oldest element. Asking for it means that the element before has been processed.
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

  /// Accepts no more elements. The listener still gets the waiting ones.
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
