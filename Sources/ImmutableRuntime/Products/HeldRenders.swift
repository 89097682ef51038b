import ImmutableUI

/// Recently sent renders that are no longer the newest. A window that reconnects with one of their
/// tags is sent the difference rather than everything.
///
/// It holds at most 64 MB; the oldest go first.
struct HeldRenders {
  private static let duration = Duration.seconds(5)

  private struct Held<Value> {
    let value: Value
    let deadline: ContinuousClock.Instant
  }

  private var renders = Cache<Tag, Held<Rendered>>(limit: 64 << 20)
  /// The compositions that they were part of. Streams that are behind refer to a composition
  /// weakly. They take no more than a few references, because their renders are held or shown.
  private var compositions = Cache<ObjectIdentifier, Held<Composition>>(limit: 64 << 20)

  var bytes: Int { self.renders.bytes + self.compositions.bytes }
  var count: Int { self.renders.count }

  subscript(tag: Tag) -> Rendered? {
    self.renders[tag]?.value
  }

  /// - Parameter new: What replaces it. The renders that both have are the newest, and need not be
  ///   held.
  /// - Complexity: O(r), r regions.
  mutating func hold(_ composition: Composition, replacedBy new: Composition? = nil) {
    let deadline = ContinuousClock.now + Self.duration
    self.compositions.insert(
      Held(value: composition, deadline: deadline),
      for: ObjectIdentifier(composition),
      bytes: composition.regions.shallowHeapSize
    )
    for (index, region) in composition.regions.enumerated() {
      let rendered = region.rendered
      if let new, index < new.regions.count, new.regions[index].rendered === rendered { continue }
      let evicted = self.renders.insert(
        Held(value: rendered, deadline: deadline), for: rendered.tag, bytes: rendered.heapSize)
      if let newest = evicted.last {
        // Otherwise they would keep the evicted renders alive.
        self.compositions.removeOldest { $0.deadline <= newest.deadline }
      }
    }
  }

  mutating func expire(_ now: ContinuousClock.Instant) {
    self.renders.removeOldest { $0.deadline <= now }
    self.compositions.removeOldest { $0.deadline <= now }
  }
}
