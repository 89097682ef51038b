import HashTreeCollections

/// The newest operations that have ended, by which a reducer knows which statuses to forget.
///
/// It is a part of the state, so whoever reduces the same actions forgets the same statuses, whichever
/// process ran the operations. It remembers at least as many ids as its limit and fewer than twice as
/// many.
///
/// ```swift
/// case .didSave(let id, let result):
///   state.statuses[id] = OperationStatus(result)
///   for id in state.ended.didEnd(id, limit: 1_000) where state.statuses[id] != .waiting {
///     state.statuses[id] = nil
///   }
/// ```
public struct Expiry<ID: Hashable & Sendable>: Hashable, Sendable {
  /// Ids in the order of their ends, as far as is needed: the generation in which each ended last.
  private var generations: TreeDictionary<ID, Int> = [:]
  private var newest = 0
  /// How many are of the newest generation.
  private var newestCount = 0

  public init() {}

  /// - Parameters:
  ///   - id: Whose operation has ended.
  ///   - limit: The minimum number of remembered ids. Once as many others have ended, those before
  ///     them are forgotten.
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
