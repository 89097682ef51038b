import Foundation
import ImmutableData
import ImmutableRuntime
import ImmutableUI

/// The origin of a region's content: the action that produced it.
struct RegionOrigin: Hashable, Sendable {
  /// Whether the page has the region.
  let isThere: Bool
  /// The action; `nil` if it is not among the actions that were checked.
  let entry: Entry?
  /// The action that started the chain of effects that led to it; without effects, the action
  /// itself.
  let beginning: Entry?
  /// The number of checked actions.
  let searched: Int
  /// The effect of the action on the region, or of the chosen action if the origin is unknown.
  let cause: RegionCause?
}

extension DeveloperState {
  /// The maximum number of checked actions. The page is rendered for each of them.
  static let originLimit = 50

  /// Finds the action that produced the content of a region of a page.
  ///
  /// - Parameters:
  ///   - region: The region's name.
  ///   - url: The path and query of the page.
  ///   - id: The number of the entry after which the region has this content; `nil` for now.
  ///   - environment: The time zone and the time in which the page is shown.
  /// - Complexity: O(a) renders of the page, for the a actions since then, ``originLimit`` at most.
  func origin(
    of region: String,
    at url: String,
    upTo id: Int?,
    in environment: PageTime
  ) -> RegionOrigin? {
    guard let product = self.program.productOfPage(url) else { return nil }
    let earlier = Array(
      self.entries(of: product).drop { entry in id.map { entry.id > $0 } ?? false }
        .prefix(Self.originLimit))
    guard let chosen = self.state(of: product, after: id) else { return nil }
    // Changes that come from the time of day were not made by an action.
    let then = environment.environment(at: earlier.first?.time ?? .now)
    func shown(in shown: any Sendable) -> RegionCause? {
      self.program.regions(url, shown, then)?.first { $0.name == region }
    }
    func tagThen(in shown: any Sendable) -> Tag? { self.program.tag(url, region, shown, then) }
    let tag = tagThen(in: chosen)
    // Without recording, actions may have changed it since.
    guard let newest = earlier.first, tagThen(in: newest.state) == tag else {
      let cause = shown(in: chosen)
      return RegionOrigin(
        isThere: cause != nil, entry: nil, beginning: nil, searched: 0, cause: cause)
    }
    let start = self.startOfRun(with: newest.id)
    let entries = earlier.prefix { $0.id >= start }
    let origin = entries.first { tagThen(in: $0.oldState) != tag }
    // A refused action changed nothing, but the region still has a component.
    let cause =
      self.program.causes(url, origin ?? newest, then)?.first { $0.name == region }
      ?? shown(in: newest.state)
    return RegionOrigin(
      isThere: tag != nil, entry: origin,
      beginning: origin.map(self.beginning), searched: entries.count, cause: cause)
  }

  /// The action whose effects led to an entry, as far back as the recording goes.
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
