import HashTreeCollections

/// The most recently ended operations. A reducer uses them to decide which statuses to remove.
///
/// It is part of the state, so every process that reduces the same actions removes the same
/// statuses, no matter where the operations ran. It remembers at least as many ids as its limit and
/// fewer than twice as many.
///
/// ```swift
/// case .didSave(let id, let result):
///   state.statuses[id] = OperationStatus(result)
///   for id in state.ended.didEnd(id, limit: 1_000) where state.statuses[id] != .waiting {
///     state.statuses[id] = nil
///   }
/// ```
public struct Expiry<ID: Hashable & Sendable>: Hashable, Sendable {
  /// The generation in which each operation last ended. That is enough of their order.
  private var generations: TreeDictionary<ID, Int> = [:]
  private var newest = 0
  /// The number of ids in the newest generation.
  private var newestCount = 0

  public init() {}

  /// - Parameters:
  ///   - id: The id whose operation has ended.
  ///   - limit: The minimum number of remembered ids. An id may be forgotten once that many others
  ///     have ended after it.
  /// - Returns: The ids to forget, in no order. They come in batches.
  /// - Complexity: O(log n), amortised, n remembered ids.
  public mutating func didEnd(_ id: ID, limit: Int) -> [ID] {
    if self.generations.updateValue(self.newest, forKey: id) != self.newest {
      self.newestCount += 1
    }
    guard self.newestCount >= limit else { return [] }
    let forgotten = self.generations.filter { $0.value < self.newest }.map(\.key)
    for id in forgotten { self.generations[id] = nil }
    self.newest += 1
    self.newestCount = 0
    return forgotten
  }
}

extension Expiry: Codable where ID: Codable {}
