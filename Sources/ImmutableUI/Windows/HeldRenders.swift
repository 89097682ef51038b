/// Renders that were sent and are no longer the newest, for a while: a window that comes back with
/// one of their tags gets the difference, not everything.
///
/// It holds at most 64 MB; the oldest go first.
struct HeldRenders {
  private static let duration = Duration.seconds(5)
  private static let limit = 64 << 20

  private struct Entry {
    let rendered: Rendered
    /// The newest of its appearances in the queue.
    var deadline: ContinuousClock.Instant
  }

  private var entries: [Tag: Entry] = [:]
  private var queue: [(tag: Tag, deadline: ContinuousClock.Instant)] = []
  private var size = 0

  subscript(tag: Tag) -> Rendered? {
    self.entries[tag]?.rendered
  }

  /// - Complexity: O(r), r regions, amortised.
  mutating func hold(_ composition: Composition) {
    let deadline = ContinuousClock.now + Self.duration
    for region in composition.regions {
      let rendered = region.rendered
      if self.entries.updateValue(
        Entry(rendered: rendered, deadline: deadline),
        forKey: rendered.tag
      ) == nil {
        self.size += rendered.size
      }
      self.queue.append((rendered.tag, deadline))
    }
    if self.size > Self.limit {
      self.drop { size, _ in size > Self.limit / 2 }
    }
  }

  mutating func expire(_ now: ContinuousClock.Instant) {
    self.drop { _, deadline in deadline <= now }
  }

  /// Drops the oldest for as long as the condition, given the size and a deadline, holds.
  private mutating func drop(
    while condition: (Int, ContinuousClock.Instant) -> Bool
  ) {
    var count = 0
    for (tag, deadline) in self.queue {
      guard condition(self.size, deadline) else { break }
      count += 1
      if let entry = self.entries[tag], entry.deadline == deadline {
        self.entries[tag] = nil
        self.size -= entry.rendered.size
      }
    }
    self.queue.removeFirst(count)
  }
}
