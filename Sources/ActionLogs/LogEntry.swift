public import Foundation

/// An action in a log.
public struct LogEntry: Hashable, Sendable {
  /// Unique in the cluster. 1 to ``LogLimits/nameBytes`` bytes, like the other names.
  public var id: String
  /// The product that the action belongs to.
  public var product: String
  /// The number of the reducer that the entry was made for, 0 or more. It rises when the reducer
  /// changes, and never falls within a log: after an entry with a higher number, entries with a
  /// lower number are refused.
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

  /// The size that counts against limits.
  public var bytes: Int {
    self.payload.count + self.id.utf8.count + self.product.utf8.count + self.node.utf8.count
  }
}

/// An entry with its position in the log. Two are equal whatever their ages.
public struct SequencedEntry: Hashable, Sendable {
  /// Starts at 1, without gaps.
  public let sequence: UInt64
  public let entry: LogEntry
  /// The time since it was appended, by the log's clock, when it was read; 0 if the clock has been
  /// set back further than that.
  public let age: Duration

  public init(sequence: UInt64, entry: LogEntry, age: Duration = .zero) {
    self.sequence = sequence
    self.entry = entry
    self.age = age
  }

  public static func == (one: Self, other: Self) -> Bool {
    one.sequence == other.sequence && one.entry == other.entry
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(self.sequence)
    hasher.combine(self.entry)
  }
}

/// Consecutive entries.
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
