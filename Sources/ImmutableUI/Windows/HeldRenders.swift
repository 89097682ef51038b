/// Renders that were sent and are no longer the newest, for a while: a window that comes back with
/// one of their tags gets the difference, not everything.
struct HeldRenders {
  private static let duration = Duration.seconds(5)
  private static let limit = 4_096

  private struct Entry {
    let rendered: Rendered
    var deadline: ContinuousClock.Instant
  }

  private var entries: [Tag: Entry] = [:]

  subscript(tag: Tag) -> Rendered? {
    self.entries[tag]?.rendered
  }

  /// - Complexity: O(r), r regions.
  mutating func hold(_ composition: Composition) {
    let deadline = ContinuousClock.now + Self.duration
    if self.entries.count > Self.limit {
      self.entries.removeAll()
    }
    for region in composition.regions {
      self.entries[region.rendered.tag] = Entry(rendered: region.rendered, deadline: deadline)
    }
  }

  mutating func expire(_ now: ContinuousClock.Instant) {
    self.entries = self.entries.filter { $0.value.deadline > now }
  }
}
