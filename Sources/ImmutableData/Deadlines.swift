import Synchronization

/// Gives up what takes too long. All work has the same time, and one timer: starting and stopping a
/// timer for each costs as much as a short operation itself.
final class Deadlines<C: Clock>: AnyDeadlines where C.Duration == Duration {
  private struct Entry: Sendable {
    let instant: C.Instant
    let giveUp: @Sendable () -> Void
  }

  private struct Contents {
    var count = 0
    /// By number, in the order of their deadlines. Bounded by the operations in progress.
    var entries: [Int: Entry] = [:]
    /// No entry has a lower number.
    var oldest = 1
    /// It sleeps until the deadline that was the oldest when it began to.
    var timer: Task<Void, any Error>?
  }

  private let limit: Duration
  private let clock: C
  private let contents = Mutex(Contents())

  init(_ limit: Duration, on clock: C) {
    self.limit = limit
    self.clock = clock
  }

  deinit {
    self.contents.withLock { $0.timer }?.cancel()
  }

  func begin(_ giveUp: @escaping @Sendable () -> Void) -> Int {
    self.contents.withLock { contents in
      let instant = self.clock.now.advanced(by: self.limit)
      contents.count += 1
      contents.entries[contents.count] = Entry(instant: instant, giveUp: giveUp)
      if contents.timer == nil { contents.timer = self.makeTimer(until: instant) }
      return contents.count
    }
  }

  func end(_ number: Int) {
    self.contents.withLock { contents in contents.entries[number] = nil }
  }

  private func makeTimer(until first: C.Instant) -> Task<Void, any Error> {
    Task { [weak self, clock] in
      var next: C.Instant? = first
      while let instant = next {
        try await clock.sleep(until: instant, tolerance: nil)
        next = self?.giveUpDue()
      }
    }
  }

  /// - Returns: The oldest deadline; `nil` if nothing is in progress. Then the timer ends.
  /// - Complexity: O(n), n operations that have begun since the timer began to sleep.
  private func giveUpDue() -> C.Instant? {
    let now = self.clock.now
    let (due, next) = self.contents.withLock { contents -> ([Entry], C.Instant?) in
      var due: [Entry] = []
      while contents.oldest <= contents.count {
        if let entry = contents.entries[contents.oldest] {
          guard entry.instant <= now else { return (due, entry.instant) }
          due.append(entry)
          contents.entries[contents.oldest] = nil
        }
        contents.oldest += 1
      }
      contents.timer = nil
      return (due, nil)
    }
    for entry in due { entry.giveUp() }
    return next
  }
}

/// ``Deadlines`` on a clock whose type is erased.
protocol AnyDeadlines: AnyObject, Sendable {
  /// - Parameter giveUp: Called at the deadline, unless the work has ended by then.
  /// - Returns: A number, for ``end(_:)``.
  func begin(_ giveUp: @escaping @Sendable () -> Void) -> Int
  func end(_ number: Int)
}
