/// What became of the newest entries, so that whoever posts one again gets the same answer.
struct Decisions: Codable {
  /// How many refusals are remembered.
  private static let limit = 10_000

  /// The sequences of what was refused, oldest first. Bounded by twice the limit.
  private var refused: [UInt64] = []
  /// The errors of what was refused since this server has joined. Bounded by ``errorLimit`` for each.
  private var errors: [UInt64: any Error] = [:]
  /// An error whose description has more bytes is not remembered.
  private static let errorLimit = 512
  /// What came of entries up to this one is not known.
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

  /// - Throws: What the reducer has thrown for a folded entry, or ``ReplicaError`` with code `refused`
  ///   or `forgotten`.
  /// - Complexity: O(n), n refusals.
  func check(_ sequence: UInt64) throws {
    guard sequence > self.forgotten else {
      throw ReplicaError(
        code: .forgotten,
        message: "Entry \(sequence) is older than what this server remembers."
      )
    }
    if let error = self.errors[sequence] { throw error }
    guard self.refused.contains(sequence) == false else {
      throw ReplicaError(code: .refused, message: "Entry \(sequence) was refused.")
    }
  }
}
