public import Foundation

/// An action in a log.
public struct LogEntry: Hashable, Sendable {
  /// Differs from that of any other action in the cluster. 1 to ``LogLimits/nameBytes`` bytes, as are
  /// the other names.
  public var id: String
  /// Whose action it is.
  public var product: String
  /// The number of the reducer that it was made for, 0 or more. It rises when the reducer changes, and
  /// never falls in a log: after an entry with a higher number, entries with lower ones are refused.
  public var reducer: Int
  /// The server that it came from.
  public var node: String
  /// The action, encoded.
  public var payload: Data

  public init(id: String, product: String, reducer: Int, node: String, payload: Data) {
    self.id = id
    self.product = product
    self.reducer = reducer
    self.node = node
    self.payload = payload
  }

  /// What it counts for in limits.
  public var bytes: Int {
    self.payload.count + self.id.utf8.count + self.product.utf8.count + self.node.utf8.count
  }
}

/// An entry in its place.
public struct SequencedEntry: Hashable, Sendable {
  /// From 1, without gaps.
  public let sequence: UInt64
  public let entry: LogEntry

  public init(sequence: UInt64, entry: LogEntry) {
    self.sequence = sequence
    self.entry = entry
  }
}

/// Entries that follow each other.
public struct LogPage: Hashable, Sendable {
  /// Oldest first.
  public let entries: [SequencedEntry]
  /// The sequence of the log's newest entry when the page was read; 0 if there is none.
  public let head: UInt64

  public init(entries: [SequencedEntry], head: UInt64) {
    self.entries = entries
    self.head = head
  }
}
