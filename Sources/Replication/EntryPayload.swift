import ActionLogs
import ImmutableData

/// The payload of an entry.
struct EntryPayload<Action: Codable & Sendable>: Codable, Sendable {
  let action: Action
  /// A recent digest of the state of its server, so that other servers can compare theirs.
  let mark: StateMark?
  /// The post that led to the action; `nil` if no visitor posted it.
  let post: SharedPost?
}

extension LogEntry {
  /// Whether decoding it hardly delays the main actor.
  var isSmall: Bool { self.payload.count <= 64 << 10 }
}

/// The digest of a state after an entry.
struct StateMark: Codable, Hashable, Sendable {
  let sequence: UInt64
  let digest: String
}
