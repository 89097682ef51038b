/// The results of the newest entries, so that a resend gets the same answer.
struct Decisions: Codable {
  /// The minimum number of refusals that are remembered.
  private static let limit = 10_000

  /// The sequences of refused entries, oldest first. Bounded by twice the limit.
  private var refused: [UInt64] = []
  /// The errors of the entries that were refused since this server joined. Each is bounded by
  /// ``errorLimit``.
  private var errors: [UInt64: any Error] = [:]
  /// An error with a longer description, in bytes, is not remembered.
  private static let errorLimit = 512
  /// The results of entries up to this one are not known.
  private var forgotten: UInt64 = 0

  private enum CodingKeys: CodingKey {
    case refused, forgotten
  }

  /// - Complexity: O(1), amortised.
  mutating func refuse(_ sequence: UInt64, _ error: any Error) {
    if "\(error)".utf8.count <= Self.errorLimit { self.errors[sequence] = error }
    self.refused.append(sequence)
    guard self.refused.count >= 2 * Self.limit else { return }
    for old in self.refused.prefix(Self.limit) {
      self.errors[old] = nil
      self.forgotten = old
    }
    self.refused.removeFirst(Self.limit)
  }

  /// - Throws: The reducer's error for a folded entry, or ``ReplicaError`` with code `refused` or
  ///   `forgotten`.
  /// - Complexity: O(n), n refusals of newer entries.
  func check(_ sequence: UInt64) throws {
    guard sequence > self.forgotten else {
      throw ReplicaError(
        code: .forgotten,
        message: "Entry \(sequence) is older than what this server remembers."
      )
    }
    if let error = self.errors[sequence] { throw error }
    guard self.refused.last(where: { $0 <= sequence }) != sequence else {
      throw ReplicaError(code: .refused, message: "Entry \(sequence) was refused.")
    }
  }
}
