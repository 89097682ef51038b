import Foundation
import HashTreeCollections
import ImmutableData

/// The deleted quakes, so that a scheduled refresh does not bring them back.
///
/// Feeds go back a month. If there are too many, only the newest quakes are remembered.
package struct DeletedIDs: Codable, Hashable, Sendable {
  /// The maximum number of ids, at about 60 bytes each.
  package static let limit = 20_000
  /// How many are kept if there are more. There is then room for a while.
  private static let kept = limit * 3 / 4

  let isKept: Bool
  /// The times of the quakes.
  private var times: TreeDictionary<Quake.ID, Date> = [:]

  /// - Parameter isKept: Whether deleted quakes are remembered.
  package init(isKept: Bool = false) {
    self.isKept = isKept
  }

  package var ids: Set<Quake.ID> { Set(self.times.keys) }

  /// - Complexity: O(m log n), m quakes, n deleted ones; occasionally O(n log n). Of more quakes than
  ///   are kept, only the times are sorted.
  mutating func remember(_ quakes: some Collection<Quake>) {
    guard self.isKept else { return }
    let exceedsLimit = quakes.count > Self.limit
    let first = exceedsLimit ? quakes.map(\.time).sorted(by: >)[Self.kept - 1] : .distantPast
    for quake in quakes where first <= quake.time { self.times[quake.id] = quake.time }
    guard exceedsLimit || self.times.count > Self.limit else { return }
    // Every server with the same state drops the same ones.
    let newest = self.times.sorted { ($0.value, $0.key) > ($1.value, $1.key) }
    self.times = TreeDictionary(uniqueKeysWithValues: newest.prefix(Self.kept))
  }

  /// The quakes of a refresh that are not deleted. A quake whose id has changed is there under both
  /// ids, under the old one with a magnitude of zero.
  ///
  /// - Parameter table: The quakes that exist.
  /// - Complexity: O(m (log n + k)), m quakes, n deleted ones, k whose ids have changed.
  func others(in quakes: [Quake], besides table: Table<Quake>) -> [Quake] {
    guard self.times.isEmpty == false else { return quakes }
    let moved = quakes.filter { $0.magnitude <= .zero && self.times[$0.id] != nil }
    return quakes.filter { quake in
      guard self.times[quake.id] == nil else { return false }
      return table[quake.id] != nil || moved.contains(where: quake.isNear) == false
    }
  }

  /// - Complexity: O(m log n), m quakes, n deleted ones.
  mutating func forget(_ quakes: some Sequence<Quake>) {
    guard self.times.isEmpty == false else { return }
    for quake in quakes { self.times[quake.id] = nil }
  }
}
