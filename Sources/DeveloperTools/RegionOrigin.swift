import ImmutableData
import ImmutableRuntime
import ImmutableUI

/// A region of a page: which action put there what it shows.
struct RegionOrigin: Hashable, Sendable {
  /// Whether the page has it.
  let isThere: Bool
  /// The action; `nil` if none of those that were looked at has.
  let entry: Entry?
  /// The action that began what led to it, if effects did; else the action itself.
  let beginning: Entry?
  /// How many actions were looked at.
  let searched: Int
  /// What the action did to the region, or what the chosen action did if it is not known which it was.
  let cause: RegionCause?
}

extension DeveloperState {
  /// How many actions are looked at, at most: for each the page is rendered.
  static let originLimit = 50

  /// Which action put there what a region of a page shows.
  ///
  /// - Parameters:
  ///   - region: The region's name.
  ///   - url: The path and query of the page.
  ///   - id: The number of the entry after which it shows that; `nil`: now.
  /// - Complexity: O(a) renders of the page, for the a actions since then, ``originLimit`` at most.
  static func selectOrigin(
    of region: String,
    at url: String,
    upTo id: Int?
  ) -> @Sendable (Self) -> RegionOrigin? {
    { state in
      guard let product = state.productOfPage(url) else { return nil }
      let earlier = Array(
        state.entries(of: product).drop { entry in id.map { entry.id > $0 } ?? false }
          .prefix(Self.originLimit))
      guard let newest = earlier.first else { return nil }
      let start = state.startOfRun(with: newest.id)
      let entries = earlier.prefix { $0.id >= start }
      // What the time of day has changed no action has.
      func tagNow(in shown: any Sendable) -> Tag? { state.tag(url, region, shown, newest.time) }
      let tag = tagNow(in: newest.state)
      let origin = entries.first { tagNow(in: $0.oldState) != tag }
      let cause = state.causes(url, origin ?? newest)?.first { $0.name == region }
      return RegionOrigin(
        isThere: tag != nil, entry: origin,
        beginning: origin.map(state.beginning), searched: entries.count, cause: cause)
    }
  }

  /// The action whose effects have led to an entry, as far back as is recorded.
  ///
  /// - Complexity: O(n) for each effect, n entries.
  private func beginning(of entry: Entry) -> Entry {
    guard case .effect(name: _, version: .some(let version)) = entry.dispatch.origin,
      let cause = self.entries(of: entry.product).first(where: {
        $0.id < entry.id && $0.dispatch.version == version && $0.refusal == nil
      })
    else { return entry }
    return self.beginning(of: cause)
  }
}
