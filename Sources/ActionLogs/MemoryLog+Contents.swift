import Foundation

extension MemoryLog {
  struct Contents {
    var head: UInt64 = 0
    var reducer = 0
    /// Oldest first, without gaps.
    var entries: [(sequenced: SequencedEntry, time: ContinuousClock.Instant)] = []
    /// The sequences of the entries, by id.
    var sequences: [String: UInt64] = [:]
    var snapshots: [UInt64: LogSnapshot] = [:]
    var epoch: UInt64 = 0
    /// Leases that are held or ended recently.
    var leases: [String: (lease: Lease, end: ContinuousClock.Instant)] = [:]
    var facts: [String: Data] = [:]
    /// One for each open stream of wakes.
    var readers: [Int: AsyncStream<UInt64?>.Continuation] = [:]
    var readerCount = 0
  }
}

extension MemoryLog.Contents {
  mutating func append(_ request: AppendRequest, _ now: ContinuousClock.Instant) -> AppendAnswer {
    let entry = request.entry
    if let sequence = self.sequences[entry.id] { return .known(sequence: sequence) }
    if entry.reducer < self.reducer { return .outdated(reducer: self.reducer) }
    if let fence = request.fence, self.isHeld(fence, now) == false { return .fenced }
    self.head += 1
    self.reducer = entry.reducer
    self.sequences[entry.id] = self.head
    self.entries.append((SequencedEntry(sequence: self.head, entry: entry), now))
    return .appended(sequence: self.head)
  }

  func isHeld(_ lease: Lease, _ now: ContinuousClock.Instant) -> Bool {
    self.leases[lease.name].map { $0.lease == lease && $0.end > now } ?? false
  }

  func page(
    after sequence: UInt64,
    _ limit: Int,
    bytes limitBytes: Int,
    _ now: ContinuousClock.Instant
  ) throws -> LogPage {
    guard sequence <= self.head else { throw ActionLogError.ahead(of: self.head, sequence) }
    let removed = self.head - UInt64(self.entries.count)
    guard sequence >= removed else { throw ActionLogError.trimmed(after: sequence) }
    var page: [SequencedEntry] = []
    var bytes = 0
    for (sequenced, time) in self.entries[Int(sequence - removed)...].prefix(limit) {
      bytes += sequenced.entry.payload.count
      guard page.isEmpty || bytes <= limitBytes else { break }
      page.append(
        SequencedEntry(
          sequence: sequenced.sequence, entry: sequenced.entry, age: max(.zero, now - time)))
    }
    return LogPage(entries: page, head: self.head)
  }

  mutating func trim(keeping count: Int, before time: ContinuousClock.Instant) {
    self.leases = self.leases.filter { $0.value.end >= time }
    for sequence in self.snapshots.keys.sorted().dropLast(count) {
      self.snapshots[sequence] = nil
    }
    guard let oldest = self.snapshots.keys.min() else { return }
    let removed = self.entries.dropLast().prefix {
      $0.sequenced.sequence <= oldest && $0.time < time
    }
    for (sequenced, _) in removed { self.sequences[sequenced.entry.id] = nil }
    self.entries.removeFirst(removed.count)
  }
}
