import ImmutableUI

/// The patches of one frame, each computed once for all places that need it.
struct PatchCache {
  private struct Key: Hashable {
    let name: String
    let old: ObjectIdentifier?
    let new: ObjectIdentifier
  }

  private var patches: [Key: [UInt8]] = [:]
  private let counters: FrameCounters?
  private let times: FrameTimes?

  /// - Parameters:
  ///   - counters: Counts the patches.
  ///   - times: Measures the time of each.
  init(counters: FrameCounters? = nil, times: FrameTimes? = nil) {
    self.counters = counters
    self.times = times
  }

  /// The patches from one composition to another. Unchanged regions need none.
  ///
  /// - Parameters:
  ///   - new: The content to show.
  ///   - page: The path of the page, if its cost is observed.
  ///   - old: Returns the render of a region that the window has, if any.
  mutating func patches(
    to new: Composition,
    at page: PagePath? = nil,
    from old: (Composition.Region) -> Rendered?
  ) -> [[UInt8]] {
    new.regions.compactMap { region in
      let old = old(region)
      return old === region.rendered
        ? nil : self.patch(region.name, at: page, from: old, to: region.rendered)
    }
  }

  private mutating func patch(
    _ name: String,
    at page: PagePath?,
    from old: Rendered?,
    to new: Rendered
  ) -> [UInt8]? {
    if let old, old.tag == new.tag { return nil }
    let key = Key(name: name, old: old.map(ObjectIdentifier.init), new: ObjectIdentifier(new))
    if let patch = self.patches[key] { return patch }
    let patch = self.times.measure(.difference(region: name, page: page?.text ?? "")) {
      PatchWriter.patch(name, from: old, to: new)
    }
    self.counters?.diffs.add()
    self.patches[key] = patch
    return patch
  }
}
