public import Foundation

/// The state after an entry.
public struct LogSnapshot: Hashable, Sendable {
  /// The sequence of the newest entry that the state contains.
  public let sequence: UInt64
  /// The number of the reducer that made it.
  public let reducer: Int
  /// Equal states have equal digests.
  public let digest: String
  /// The state, encoded. At most ``LogLimits/snapshotBytes``.
  public let state: Data

  public init(sequence: UInt64, reducer: Int, digest: String, state: Data) {
    self.sequence = sequence
    self.reducer = reducer
    self.digest = digest
    self.state = state
  }
}
