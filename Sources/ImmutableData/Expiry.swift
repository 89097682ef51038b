/// What has ended and is still remembered with its status, so that statuses do not pile up.
///
/// It holds fewer than twice as many ids as its limit.
public struct Expiry<ID: Hashable & Sendable>: Sendable {
  private let limit: Int
  /// Oldest first.
  private var ended: [ID] = []

  /// - Parameter limit: How many are remembered at least; at twice as many the oldest are forgotten.
  public init(limit: Int) {
    self.limit = limit
  }

  /// - Returns: What is to be forgotten, in batches: each is an action of its own.
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
