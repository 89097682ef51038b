import Foundation
import HashTreeCollections

/// Which quakes were deleted, so that a refresh that nobody asked for does not bring them back.
///
/// Feeds go back a month, so of many the newest quakes are remembered.
package struct DeletedIDs: Codable, Hashable, Sendable {
  /// At about 60 bytes each.
  package static let limit = 20_000

  private let isKept: Bool
  /// When they were.
  private var times: TreeDictionary<Quake.ID, Date> = [:]

  /// - Parameter isKept: Whether any are remembered.
  package init(isKept: Bool = false) {
    self.isKept = isKept
  }

  package var ids: Set<Quake.ID> { Set(self.times.keys) }

  /// - Complexity: O(m log n), m quakes, n that were deleted; now and then O(n log n).
  mutating func remember(_ quakes: some Sequence<Quake>) {
    guard self.isKept else { return }
    for quake in quakes { self.times[quake.id] = quake.time }
    guard self.times.count > Self.limit else { return }
    // The same ones for everybody who has the same state. Then there is room for a while.
    let newest = self.times.sorted { ($0.value, $0.key) > ($1.value, $1.key) }
    self.times = TreeDictionary(uniqueKeysWithValues: newest.prefix(Self.limit * 3 / 4))
  }

  /// - Complexity: O(m log n), m quakes, n that were deleted.
  mutating func forget(_ quakes: some Sequence<Quake>) {
    guard self.times.isEmpty == false else { return }
    for quake in quakes { self.times[quake.id] = nil }
  }
}
