/// What became of the newest entries, so that whoever posts one again gets the same answer.
struct Decisions {
  /// How many refusals are remembered.
  private static let limit = 10_000

  /// The newest refusals by sequence. Bounded by the limit, and by what errors hold: a few words each.
  private var refusals: [UInt64: any Error] = [:]
  /// Their sequences, oldest first.
  private var order: [UInt64] = []
  /// What came of entries up to this one is not known.
  private var forgotten: UInt64

  /// - Parameter sequence: That of the last entry that was not folded here.
  init(after sequence: UInt64) {
    self.forgotten = sequence
  }

  /// - Complexity: O(1), amortised.
  mutating func refuse(_ sequence: UInt64, _ error: any Error) {
    self.refusals[sequence] = error
    self.order.append(sequence)
    guard self.order.count >= 2 * Self.limit else { return }
    for old in self.order.prefix(Self.limit) {
      self.refusals[old] = nil
      self.forgotten = old
    }
    self.order.removeFirst(Self.limit)
  }

  /// - Throws: What the reducer has thrown for a folded entry, or ``ReplicaError`` with code
  ///   `forgotten`.
  func check(_ sequence: UInt64) throws {
    guard sequence > self.forgotten else {
      throw ReplicaError(
        code: .forgotten,
        message: "Entry \(sequence) is older than what this server remembers."
      )
    }
    if let error = self.refusals[sequence] { throw error }
  }
}
