import Foundation
import HashTreeCollections

/// The deleted quakes, so that a scheduled refresh does not bring them back.
///
/// Feeds go back a month. If there are too many, only the newest quakes are remembered.
package struct DeletedIDs: Codable, Hashable, Sendable {
  /// The maximum number of ids, at about 60 bytes each.
  package static let limit = 20_000

  private let isKept: Bool
  /// The times of the quakes.
  private var times: TreeDictionary<Quake.ID, Date> = [:]

  /// - Parameter isKept: Whether deleted quakes are remembered.
  package init(isKept: Bool = false) {
    self.isKept = isKept
  }

  package var ids: Set<Quake.ID> { Set(self.times.keys) }

  /// - Complexity: O(m log n), m quakes, n deleted ones; occasionally O(n log n).
  mutating func remember(_ quakes: some Sequence<Quake>) {
    guard self.isKept else { return }
    for quake in quakes { self.times[quake.id] = quake.time }
    guard self.times.count > Self.limit else { return }
    // Every server with the same state drops the same ones. There is then room for a while.
    let newest = self.times.sorted { ($0.value, $0.key) > ($1.value, $1.key) }
    self.times = TreeDictionary(uniqueKeysWithValues: newest.prefix(Self.limit * 3 / 4))
  }

  /// The quakes that are not deleted.
  ///
  /// - Complexity: O(m log n), m quakes, n deleted ones.
  func others(in quakes: [Quake]) -> [Quake] {
    self.times.isEmpty ? quakes : quakes.filter { self.times[$0.id] == nil }
  }

  /// - Complexity: O(m log n), m quakes, n deleted ones.
  mutating func forget(_ quakes: some Sequence<Quake>) {
    guard self.times.isEmpty == false else { return }
    for quake in quakes { self.times[quake.id] = nil }
  }
}
