import ImmutableUI

/// Recently sent renders that are no longer the newest. A window that reconnects with one of their
/// tags is sent the difference rather than everything.
///
/// It holds at most 64 MB; the oldest go first.
struct HeldRenders {
  private static let duration = Duration.seconds(5)

  private struct Held {
    let rendered: Rendered
    /// The composition that it was part of. Streams that are behind refer to the composition
    /// weakly.
    let composition: Composition
    let deadline: ContinuousClock.Instant
  }

  private var renders = Cache<Tag, Held>(limit: 64 << 20)

  var bytes: Int { self.renders.bytes }
  var count: Int { self.renders.count }

  subscript(tag: Tag) -> Rendered? {
    self.renders[tag]?.rendered
  }

  /// - Complexity: O(r), r regions.
  mutating func hold(_ composition: Composition) {
    let deadline = ContinuousClock.now + Self.duration
    for region in composition.regions {
      let rendered = region.rendered
      self.renders.insert(
        Held(rendered: rendered, composition: composition, deadline: deadline),
        for: rendered.tag,
        bytes: rendered.heapSize
      )
    }
  }

  mutating func expire(_ now: ContinuousClock.Instant) {
    self.renders.removeOldest { $0.deadline <= now }
  }
}
