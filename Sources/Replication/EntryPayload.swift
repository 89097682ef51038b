/// What an entry carries.
struct EntryPayload<Action: Codable & Sendable>: Codable, Sendable {
  let action: Action
  /// What the state of its server was not long before, so that others can compare theirs.
  let mark: StateMark?
}

/// Says what a state was after an entry.
struct StateMark: Codable, Hashable, Sendable {
  let sequence: UInt64
  let digest: String
}
