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

  init(counters: FrameCounters? = nil) {
    self.counters = counters
  }

  /// The patches from one composition to another. Unchanged regions need none.
  ///
  /// - Parameter old: Returns the render of a region that the window has, if any.
  mutating func patches(
    to new: Composition,
    from old: (Composition.Region) -> Rendered?
  ) -> [[UInt8]] {
    new.regions.compactMap { region in
      let old = old(region)
      return old === region.rendered ? nil : self.patch(region.name, from: old, to: region.rendered)
    }
  }

  private mutating func patch(_ name: String, from old: Rendered?, to new: Rendered) -> [UInt8]? {
    if let old, old.tag == new.tag { return nil }
    let key = Key(name: name, old: old.map(ObjectIdentifier.init), new: ObjectIdentifier(new))
    if let patch = self.patches[key] { return patch }
    let patch = PatchWriter.patch(name, from: old, to: new)
    self.counters?.diffs.add()
    self.patches[key] = patch
    return patch
  }
}
