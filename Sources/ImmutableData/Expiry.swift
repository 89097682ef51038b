/// Operations that have ended and whose status is still remembered. Limits how many statuses there
/// are.
///
/// It holds fewer than twice as many ids as its limit.
public struct Expiry<ID: Hashable & Sendable>: Sendable {
  private let limit: Int
  /// Oldest first.
  private var ended: [ID] = []

  /// - Parameter limit: The minimum number of remembered ids. At twice that, the oldest are
  ///   forgotten.
  public init(limit: Int) {
    self.limit = limit
  }

  /// - Returns: The ids to forget. They come in batches, because each batch takes an action of its
  ///   own.
  /// - Complexity: O(1), amortised.
  public mutating func didEnd(_ id: ID) -> [ID] {
    self.ended.append(id)
    guard self.ended.count >= 2 * self.limit else { return [] }
    let oldest = self.ended.prefix(self.limit)
    self.ended.removeFirst(self.limit)
    let newer = Set(self.ended)
    return oldest.filter { newer.contains($0) == false }
  }
}
