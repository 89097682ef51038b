/// An entry that is to be appended.
public struct AppendRequest: Hashable, Sendable {
  public let entry: LogEntry
  /// The lease without which it must not be appended. Whether it is held is checked in the same
  /// transaction, so that nothing is written by whoever has lost it without knowing.
  public let fence: Lease?

  public init(_ entry: LogEntry, fence: Lease? = nil) {
    self.entry = entry
    self.fence = fence
  }
}

/// What became of a request to append.
public enum AppendAnswer: Hashable, Sendable {
  case appended(sequence: UInt64)
  /// An entry with this id is in the log already, whatever else it has.
  case known(sequence: UInt64)
  /// The lease is no longer held. Nothing was appended.
  case fenced
  /// The log is at a newer reducer. Nothing was appended.
  case outdated(reducer: Int)

  /// Where the entry is in the log; `nil` if it is not.
  public var sequence: UInt64? {
    switch self {
    case .appended(let sequence), .known(let sequence): sequence
    case .fenced, .outdated: nil
    }
  }
}
