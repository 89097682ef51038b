import ActionLogs
import Foundation
import ImmutableData
import Logging
import Synchronization
import Tracing

// Folding.
extension Replica {
  /// An entry and its action.
  struct Decoded: Sendable {
    let sequence: UInt64
    let id: String
    let node: String
    /// `nil` for a barrier, or if the action was removed.
    let contents: EntryPayload<Action>?
    /// Whether an operator has removed the action from the log (docs/CLUSTER.md).
    let isRemoved: Bool
    /// The size of the payload.
    let bytes: Int
    let age: Duration

    init(_ sequenced: SequencedEntry, _ contents: EntryPayload<Action>?) {
      self.sequence = sequenced.sequence
      self.id = sequenced.entry.id
      self.node = sequenced.entry.node
      self.contents = contents
      self.isRemoved =
        contents == nil && sequenced.entry.payload.elementsEqual("removed".utf8)
      self.bytes = sequenced.entry.payload.count
      self.age = sequenced.age
    }
  }

  /// Why an entry is not for this release.
  private struct Foreign: Sendable {
    let sequenced: SequencedEntry
    let error: ReplicaError
  }

  /// The number of entries that are reduced before other work gets a turn on the main actor.
  private static var turn: Int { 64 }

  func foldAll() async throws {
    while true {
      let (begun, after) = (ContinuousClock.now, self.position.folded)
      let page = try await self.log.page(after: after, limit: 1_000)
      self.position.didRead(upTo: page.head)
      // Many entries at once are no reason to be behind.
      if self.knownStatus == .current, page.entries.count > Self.turn,
        self.lag.duration > self.configuration.lease
      {
        self.setStatus(.behind)
      }
      let (decoded, foreign) = await Self.decode(page.entries, self.configuration)
      for (number, entry) in decoded.enumerated() {
        if number > 0, number % Self.turn == 0 { await Task.yield() }
        // The replica's own entries may have been folded in the meantime.
        let folded = self.position.folded
        guard entry.sequence > folded else { continue }
        guard entry.sequence == folded + 1 else { throw ActionLogError.trimmed(after: folded) }
        self.fold(entry)
      }
      if let foreign { try await self.stop(at: foreign) }
      self.position.didComplete(begun)
      guard self.lag.entries > 0 else { return self.didFoldAll() }
      // If this page has everything, another call has just read of newer entries.
      guard page.entries.isEmpty == false || page.head <= after else {
        throw ActionLogError.trimmed(after: after)
      }
    }
  }

  /// Stops at an entry that is not for this release, because no entry may be skipped.
  ///
  /// - Throws: Always ``ReplicaError`` with code `stopped`.
  private func stop(at foreign: Foreign) async throws {
    let (sequence, entry) = (foreign.sequenced.sequence, foreign.sequenced.entry)
    guard Barrier.isBarrier(entry), entry.product == self.configuration.product,
      entry.reducer > self.configuration.reducer
    else { throw foreign.error }
    var message =
      "A newer release continues the log from entry \(sequence). This one has stopped."
    do {
      // The newer release starts from the state before it. If the log is unavailable, this server
      // stays before the barrier and tries again.
      try await self.save(self.unsavedSnapshot(at: sequence))
    } catch let error as ActionLogError where error.code != .unavailable {
      message += " Its state could not be saved for the newer release: \(error.message)"
    }
    self.position.didFold(sequence)
    throw ReplicaError(code: .stopped, message: message)
  }

  /// Folds one of the replica's own entries if it is small and directly follows the newest folded
  /// entry. It uses the appended bytes instead of the action, so that the result is the same as on
  /// other servers. Otherwise it is read from the log, with the entries before it: those of other
  /// servers, and own ones whose answers arrive later. The log does not wake a server for its own
  /// entries.
  func foldIfNext(_ sequenced: SequencedEntry, _ contents: EntryPayload<Action>?) {
    let folded = self.position.folded
    guard sequenced.sequence > folded, self.outgoing.stop == nil else { return }
    guard sequenced.sequence == folded + 1, sequenced.entry.isSmall,
      let entry = contents.map({ Decoded(sequenced, $0) })
        ?? (try? Self.decode(sequenced, self.configuration, JSONDecoder()))
    else { return self.foldSoon() }
    self.fold(entry)
  }

  /// Stops when it is woken next.
  func stopSoon(_ error: any Error) {
    self.divergence.withLock { $0 = $0 ?? ReplicaError(code: .stopped, message: "\(error)") }
  }

  private func foldSoon() {
    guard self.isFoldingSoon == false else { return }
    self.isFoldingSoon = true
    Task {
      self.isFoldingSoon = false
      do {
        try await self.foldAll()
      } catch let error as ActionLogError where [.unavailable, .trimmed].contains(error.code) {
        // The replica also notices when it is woken next.
      } catch {
        self.stopSoon(error)
      }
    }
  }

  private func fold(_ entry: Decoded) {
    let isOwn = entry.node == self.configuration.node
    let taken = self.outgoing.takeOrigin(of: entry.id)
    // The post of another server may also have been sent to this one, which answers it as well.
    let known = isOwn ? taken : nil
    let origin = isOwn ? known?.origin : .elsewhere
    // A post whose answer got lost is also answered elsewhere, or when it is sent again.
    let elsewhere = known == nil ? entry.contents?.post.map { (entry.id, $0) } : nil
    self.logIfUnfinished(entry)
    self.unfinishedEntry?.note(entry.sequence)
    defer { self.unfinishedEntry?.note(0) }
    let begun = ContinuousClock.now
    let result = Result {
      guard let action = entry.contents?.action else { return try self.refuseIfRemoved(entry) }
      try ActionOrigin.$entry.withValue((entry.bytes, entry.age)) {
        try ActionOrigin.$current.withValue(origin) {
          try SharedPost.$elsewhere.withValue(elsewhere) {
            try BacklogEntry.withCurrent(known?.post) {
              try ServiceContext.$current.withValue(known?.trace) {
                try self.store.apply(
                  action, version: entry.sequence, from: isOwn ? nil : entry.node)
              }
            }
          }
        }
      }
    }
    self.metrics.didFold(in: .now - begun)
    if case .failure = result, known != nil { self.metrics.didConflict() }
    self.position.didFold(entry.sequence)
    self.outgoing.didFold(entry.sequence, result)
    self.marks?.didFold(entry.sequence, self.store.snapshot().state)
    if isOwn == false, let mark = entry.contents?.mark {
      self.marks?.compare(mark, of: entry.node)
    }
    if entry.sequence % self.configuration.snapshotInterval == 0 { self.beginSnapshot() }
    if self.hasCaughtUp, entry.contents == nil, let answer = Barrier.answer(to: entry.id) {
      self.makeWay(answer)
    }
  }

  private func logIfUnfinished(_ entry: Decoded) {
    guard let unfinishedEntry, unfinishedEntry.sequence == entry.sequence else { return }
    self.configuration.logger.critical(
      "The server ended while it reduced this entry. If it ends again, docs/CLUSTER.md says how to repair the log",
      metadata: [
        "entry": "\(entry.sequence)", "id": "\(entry.id)", "server": "\(entry.node)",
        "product": "\(self.configuration.product)",
        "action": "\(entry.contents.map { ActionOrigin.name(of: $0.action) } ?? "none")",
      ])
  }

  /// - Throws: ``ReplicaError`` with code `refused` if the action of the entry was removed.
  private func refuseIfRemoved(_ entry: Decoded) throws {
    guard entry.isRemoved else { return }
    self.configuration.logger.warning(
      "An entry is refused, because its action was removed from the log",
      metadata: ["entry": "\(entry.sequence)", "id": "\(entry.id)"])
    throw ReplicaError(
      code: .refused, message: "The action of entry \(entry.sequence) was removed from the log.")
  }

  /// - Returns: The entries before the first one that is not for this release, and that one.
  @concurrent private static func decode(
    _ entries: [SequencedEntry],
    _ configuration: ReplicaConfiguration<State>
  ) async -> ([Decoded], Foreign?) {
    let decoder = JSONDecoder()
    var decoded: [Decoded] = []
    for sequenced in entries {
      do {
        decoded.append(try Self.decode(sequenced, configuration, decoder))
      } catch {
        return (decoded, Foreign(sequenced: sequenced, error: error))
      }
    }
    return (decoded, nil)
  }

  nonisolated static func decode(
    _ sequenced: SequencedEntry,
    _ configuration: ReplicaConfiguration<State>,
    _ decoder: JSONDecoder
  ) throws(ReplicaError) -> Decoded {
    let (sequence, entry) = (sequenced.sequence, sequenced.entry)
    guard entry.reducer == configuration.reducer, entry.product == configuration.product else {
      throw ReplicaError(
        code: .stopped,
        message: "Entry \(sequence) is for reducer \(entry.reducer) of \(entry.product); "
          + "this release has reducer \(configuration.reducer) of \(configuration.product)."
      )
    }
    let contents = try? decoder.decode(EntryPayload<Action>.self, from: entry.payload)
    let decoded = Decoded(sequenced, contents)
    guard contents != nil || Barrier.isBarrier(entry) || decoded.isRemoved else {
      throw ReplicaError(
        code: .stopped,
        message: "Entry \(sequence) has no action of this release. "
          + "Start the release that wrote it."
      )
    }
    return decoded
  }
}
