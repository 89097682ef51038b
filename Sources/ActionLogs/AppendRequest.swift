/// A request to append an entry.
public struct AppendRequest: Hashable, Sendable {
  public let entry: LogEntry
  /// The lease that must be held to append the entry. It is checked in the same transaction, so a
  /// process that has lost the lease without knowing it cannot write.
  public let fence: Lease?

  public init(_ entry: LogEntry, fence: Lease? = nil) {
    self.entry = entry
    self.fence = fence
  }
}

/// The result of a request to append.
public enum AppendAnswer: Hashable, Sendable {
  case appended(sequence: UInt64)
  /// The log already has an entry with this id, even if the rest of it differs.
  case known(sequence: UInt64)
  /// The lease is no longer held. Nothing was appended.
  case fenced
  /// The log is at a newer reducer. Nothing was appended.
  case outdated(reducer: Int)

  /// The sequence of the entry in the log; `nil` if it is not in the log.
  public var sequence: UInt64? {
    switch self {
    case .appended(let sequence), .known(let sequence): sequence
    case .fenced, .outdated: nil
    }
  }
}
