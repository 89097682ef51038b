import Synchronization

/// The elements that one listener has not processed yet: a queue that never drops.
///
/// It grows while the listener is behind. ``count`` is its length. A server refuses posts (503)
/// while the actions of too many are here (``BacklogEntry``).
final class StreamBuffer<Element: Sendable>: Sendable {
  private struct Contents {
    /// Each with the post that has caused it.
    var elements: [(element: Element, post: BacklogEntry?)] = []
    var head = 0
    var waiting: CheckedContinuation<Element?, Never>?
    var isFinished = false
    /// Whether the listener is still processing an element. It asks for the next when it has
    /// finished.
    var isLent = false
    /// The post that has caused that element.
    var lentPost: BacklogEntry?

    mutating func lend(from post: BacklogEntry?) {
      self.isLent = true
      self.lentPost = post
    }

    /// Removes the oldest element. The space of removed elements is freed in batches.
    mutating func popFirst() -> (element: Element, post: BacklogEntry?)? {
      guard self.head < self.elements.count else { return nil }
      let element = self.elements[self.head]
      self.elements[self.head].post = nil
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
    let post = BacklogEntry.current
    let waiting = self.contents.withLock { contents -> CheckedContinuation<Element?, Never>? in
      guard contents.isFinished == false else { return nil }
      if let waiting = contents.waiting {
        contents.waiting = nil
        contents.lend(from: post)
        return waiting
      }
      contents.elements.append((element, post))
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
        contents.lentPost = nil
        if let (element, post) = contents.popFirst() {
          contents.lend(from: post)
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
