/// The limits of a log, in bytes.
public struct LogLimits: Hashable, Sendable {
  /// The payload of an entry.
  public var entryBytes = 16 << 20
  /// Entries that are appended together, unless there is only one.
  public var batchBytes = 16 << 20
  /// Entries that are read together, unless there is only one.
  public var pageBytes = 8 << 20
  /// Entries that wait to be appended (``AppendQueue``).
  public var queueBytes = 64 << 20
  /// The state of a snapshot.
  public var snapshotBytes = 256 << 20
  /// Ids, and names of products, nodes, leases, holders and facts.
  public var nameBytes = 256
  /// A fact.
  public var factBytes = 4096

  public init() {}
}

extension LogLimits {
  /// - Throws: ``ActionLogError``: `tooLarge` or `invalidName`.
  package func check(_ entry: LogEntry) throws {
    try self.check(names: entry.id, entry.product, entry.node)
    try self.check(entry.payload.count, self.entryBytes, "An entry")
  }

  /// - Throws: ``ActionLogError``: `tooLarge` or `invalidName`.
  package func check(_ snapshot: LogSnapshot) throws {
    try self.check(names: snapshot.digest)
    try self.check(snapshot.state.count, self.snapshotBytes, "A snapshot")
  }

  /// - Throws: ``ActionLogError``: `tooLarge` or `invalidName`.
  package func check(fact name: String, _ bytes: Int) throws {
    try self.check(names: name)
    try self.check(bytes, self.factBytes, "A fact")
  }

  /// - Throws: ``ActionLogError``: `invalidName`.
  package func check(names: String...) throws {
    // PostgreSQL's text cannot contain U+0000.
    for name in names
    where name.isEmpty || name.utf8.count > self.nameBytes || name.utf8.contains(0) {
      throw ActionLogError(
        code: .invalidName,
        message: "Ids and names in the log must have 1 to \(self.nameBytes) bytes without U+0000."
      )
    }
  }

  private func check(_ bytes: Int, _ limit: Int, _ what: String) throws {
    guard bytes <= limit else {
      throw ActionLogError(
        code: .tooLarge,
        message: "\(what) in the log may have at most \(limit) bytes; this one has \(bytes)."
      )
    }
  }
}
