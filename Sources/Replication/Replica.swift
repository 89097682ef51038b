public import ActionLogs
import Foundation
public import ImmutableData
import Logging
import Synchronization

/// One of several stores that fold the same log and therefore have the same states.
///
/// An action that is dispatched or posted to its store is first appended to the log. Every replica
/// then reads it from the log and reduces it, in the order of the log. The action's effects run
/// only where it came from. The versions of the store are the sequences of the log.
///
/// ```swift
/// let replica = try await Replica.join(log, configuration, initialState: 0, reducer: reducer)
/// Task { await replica.run() }
/// let version = try await replica.store.post(action: .add(2), id: "f81d4fae")
/// ```
@MainActor public final class Replica<State: Sendable, Action: Codable & Sendable> {
  public nonisolated let store: Store<State, Action>
  nonisolated let log: any ActionLog
  private let liveness: Liveness?
  nonisolated let configuration: ReplicaConfiguration<State>
  private let metrics = ReplicaMetrics()
  let outgoing: Outgoing<Action>
  /// `nil` if the configuration does not define digests of states.
  let marks: StateMarks<State>?
  nonisolated let initialState: State
  nonisolated let reducer: Reducer<State, Action>
  /// Why it has to stop, as found by an audit.
  let divergence = Mutex<ReplicaError?>(nil)
  /// The next audit starts no earlier than this.
  var nextAudit = ContinuousClock.now
  private let newestStatus = Mutex(ReplicaStatus.behind)
  /// Whether the log took the newest append. The connection that appends is not the one that reads,
  /// so each can be lost while the other answers.
  private var canAppend = false
  /// Whether an append is in progress that finds out whether the log takes appends again.
  private var isProbing = false
  /// The snapshot that is being saved while entries are folded.
  private var saving: Task<Void, Never>?
  /// Whether it begins with the last state of an older release, as the first server of a newer one.
  private let isFirstOfRelease: Bool
  /// Whether it has reduced all entries that the log had when it joined.
  private var hasCaughtUp = false
  /// Waits for a newer release to take over.
  var makingWay: Task<Void, any Error>?
  /// When the log last answered.
  private let read = Mutex(ContinuousClock.now)
  /// The sequences of the newest reduced entry, and of the newest entry that the log had.
  private let position: Mutex<(folded: UInt64, head: UInt64)>
  /// The sequence of the entry after which it began.
  private nonisolated let begun: UInt64

  private init(
    _ log: some ActionLog,
    _ configuration: ReplicaConfiguration<State>,
    initialState: State,
    _ start: Start,
    isFirstOfRelease: Bool,
    reducer: Reducer<State, Action>
  ) {
    self.isFirstOfRelease = isFirstOfRelease
    let marks = configuration.coding.map {
      StateMarks($0, interval: configuration.markInterval)
    }
    self.log = log
    self.marks = marks
    self.initialState = initialState
    self.reducer = reducer
    let liveness = configuration.lanes.map { lanes in
      Liveness(
        log: log,
        node: configuration.node,
        lanes: lanes,
        logger: configuration.logger,
        lease: configuration.lease
      )
    }
    self.liveness = liveness
    self.configuration = configuration
    self.outgoing = Outgoing(
      log,
      Outgoing.Configuration(
        node: configuration.node,
        product: configuration.product,
        reducer: configuration.reducer,
        logger: configuration.logger
      ),
      after: start.sequence,
      start.decisions,
      newestMark: { marks?.newest },
      leaderLease: { liveness?.leadership.newest }
    )
    self.position = Mutex((start.sequence, start.sequence))
    self.begun = start.sequence
    self.store = Store(
      initialState: start.state,
      version: start.sequence,
      sequencer: self.outgoing,
      reducer: reducer
    )
  }

  /// Makes a store with the same state as the others, from the newest snapshot and all entries
  /// after it.
  ///
  /// - Parameters: The same as ``begin(_:_:initialState:reducer:)``.
  /// - Throws: `ActionLogError`, or ``ReplicaError`` with code `stopped` if the log is not for this
  ///   release.
  /// - Complexity: O(n), n entries since the snapshot, besides the reducer.
  public static func join(
    _ log: some ActionLog,
    _ configuration: ReplicaConfiguration<State>,
    initialState state: State,
    reducer: Reducer<State, Action>
  ) async throws -> Replica {
    let replica = try await Self.begin(log, configuration, initialState: state, reducer: reducer)
    try await replica.catchUp()
    return replica
  }

  /// Makes a store with the state of the newest snapshot. Listeners that run effects must start to
  /// listen before ``catchUp()``, so that they see the unfinished effects of servers that have
  /// ended.
  ///
  /// - Parameters:
  ///   - log: The log that the others fold.
  ///   - configuration: The configuration of this replica.
  ///   - state: The state before the first entry.
  ///   - reducer: The same reducer as the others. It must not return effects.
  /// - Throws: `ActionLogError`, or ``ReplicaError`` with code `stopped` if the log is not for this
  ///   release.
  public static func begin(
    _ log: some ActionLog,
    _ configuration: ReplicaConfiguration<State>,
    initialState state: State,
    reducer: Reducer<State, Action>
  ) async throws -> Replica {
    let (snapshot, isFirst) =
      configuration.coding == nil ? (nil, false) : try await Self.snapshot(of: log, configuration)
    let replica = Replica(
      log,
      configuration,
      initialState: state,
      try Start(snapshot, configuration, orElse: state),
      isFirstOfRelease: isFirst,
      reducer: reducer
    )
    try await replica.liveness?.begin()
    return replica
  }

  /// The snapshot to start from, `nil` if every entry has to be read; and whether this is the first
  /// server of a newer release.
  private static func snapshot(
    of log: some ActionLog,
    _ configuration: ReplicaConfiguration<State>
  ) async throws -> (LogSnapshot?, Bool) {
    let newest = try await log.newestSnapshot()
    let following = try await log.page(after: newest?.sequence ?? 0, limit: 1).entries.first
    guard let reducer = following?.entry.reducer ?? newest?.reducer,
      reducer < configuration.reducer
    else { return (newest, false) }
    let barrier = Barrier(
      product: configuration.product, reducer: configuration.reducer, node: configuration.node)
    // Nothing is in progress if the log ends with a snapshot.
    return try await barrier.cross(
      log,
      from: following?.entry.reducer,
      patience: min(configuration.patience, configuration.barrierLimit),
      within: configuration.barrierLimit
    )
  }

  /// Reduces all entries that the log has.
  ///
  /// - Throws: `ActionLogError`, or ``ReplicaError`` with code `stopped`.
  /// - Complexity: O(n), n entries since the snapshot, besides the reducer.
  public func catchUp() async throws {
    // The state is still that of the older release, whose servers can end nothing any more.
    if self.isFirstOfRelease { self.configuration.lanes?.endWaiting() }
    try await self.foldAll()
    await self.saving?.value
    if let divergence = self.divergence.withLock({ $0 }) { throw divergence }
    self.hasCaughtUp = true
    self.outgoing.onAppended = { [weak self] in self?.foldIfNext($0, $1) }
    self.outgoing.onUnavailable = { [weak self] in self?.didFailToAppend($0) }
  }

  /// Whether the state is as recent as that of the others, and whether actions can be posted.
  public nonisolated var status: ReplicaStatus {
    let status = self.knownStatus
    // The log is read several times a second. A replica that is cut off gets no error, only
    // silence.
    switch status {
    case .away, .stopped: return status
    case .current, .behind, .readOnly:
      let isSilent = self.read.withLock { $0 } < .now - self.configuration.lease
      return isSilent ? .away("The log does not answer.") : status
    }
  }

  /// The status when the log last answered.
  private nonisolated var knownStatus: ReplicaStatus { self.newestStatus.withLock { $0 } }

  /// The number of entries that it had not reduced when it last read the log.
  public nonisolated var lag: UInt64 { self.position.withLock { $0.head - $0.folded } }

  /// Reduces appended entries until the task is cancelled or the replica has to stop. Meanwhile it
  /// takes over the effects of servers that have ended (``ReplicaConfiguration/lanes``).
  ///
  /// - Throws: ``ReplicaError`` with code `stopped` if it has to stop.
  public func run() async throws {
    let living = self.liveness.map { liveness in Task { await liveness.run() } }
    let comparing = Task { [marks] in await marks?.run { await self.audit($0) } }
    defer {
      living?.cancel()
      comparing.cancel()
      self.makingWay?.cancel()
    }
    try await self.follow()
    self.outgoing.giveUp(ReplicaError(code: .stopped, message: "The server is shutting down."))
  }

  /// Checks each wake outside the main actor, because the main actor is usually about to answer the
  /// post that caused the wake.
  @concurrent private nonisolated func follow() async throws {
    for await newest in self.log.wakes() {
      if let newest, newest <= self.position.withLock({ $0.folded }), self.knownStatus == .current,
        self.divergence.withLock({ $0 == nil })
      {
        self.read.withLock { $0 = .now }
      } else {
        try await self.foldNews()
      }
    }
  }

  private func foldNews() async throws {
    do {
      if let divergence = self.divergence.withLock({ $0 }) { throw divergence }
      try await self.foldAll()
    } catch let error as ActionLogError where error.code == .unavailable {
      self.canAppend = false
      self.setStatus(.away(error.message))
      self.outgoing.giveUp(ReplicaError(error))
    } catch {
      let stop = ReplicaError(code: .stopped, message: "\(error)")
      self.setStatus(.stopped(stop.message))
      self.outgoing.giveUp(stop)
      throw stop
    }
  }

  /// Writes the remaining entries, signals that this server has ended, so that no other server waits
  /// for it, and saves a snapshot. Call it after ``run()``, when no effect is in progress any more.
  ///
  /// - Parameter limit: How long to wait for a log that is unavailable.
  public func leave(within limit: Duration = .seconds(5)) async {
    guard await self.outgoing.finish(within: limit) else {
      self.configuration.logger.error("The log could not be reached before the server ended")
      return
    }
    // A large state takes long to save.
    await self.liveness?.end()
    do {
      try await self.foldAll()
      try await self.keepSnapshot()
    } catch {
      self.configuration.logger.error("No snapshot was kept", metadata: ["error": "\(error)"])
    }
  }

  private func setStatus(_ status: ReplicaStatus) {
    let old = self.newestStatus.withLock { newest in
      defer { newest = status }
      return newest
    }
    guard old != status else { return }
    switch (old, status) {
    case (_, .stopped(let reason)):
      self.configuration.logger.critical("A replica has stopped", metadata: ["reason": "\(reason)"])
    case (.away, .away), (.readOnly, .readOnly): break
    case (_, .readOnly(let reason)):
      self.configuration.logger.error(
        "The log cannot be written", metadata: ["reason": "\(reason)"])
    case (.readOnly, .current): self.configuration.logger.notice("The log can be written again")
    case (_, .away(let reason)):
      self.configuration.logger.error(
        "The log cannot be reached", metadata: ["reason": "\(reason)"])
    case (.away, _): self.configuration.logger.notice("The log can be reached again")
    default: break
    }
  }
}

// Folding.
extension Replica {
  /// An entry and its action.
  struct Decoded: Sendable {
    let sequence: UInt64
    let id: String
    let node: String
    /// `nil` for a barrier.
    let contents: EntryPayload<Action>?
    /// The size of the payload.
    let bytes: Int

    init(_ sequenced: SequencedEntry, _ contents: EntryPayload<Action>?) {
      self.sequence = sequenced.sequence
      self.id = sequenced.entry.id
      self.node = sequenced.entry.node
      self.contents = contents
      self.bytes = sequenced.entry.payload.count
    }
  }

  /// Why an entry is not for this release.
  private struct Foreign: Sendable {
    let sequenced: SequencedEntry
    let error: ReplicaError
  }

  /// The number of entries that are reduced before other work gets a turn on the main actor.
  private static var turn: Int { 64 }

  private func foldAll() async throws {
    while true {
      let after = self.position.withLock { $0.folded }
      let page = try await self.log.page(after: after, limit: 1_000)
      self.read.withLock { $0 = .now }
      self.position.withLock { $0.head = max(page.head, $0.folded) }
      if self.knownStatus == .current, page.entries.count > Self.turn { self.setStatus(.behind) }
      let (decoded, foreign) = await Self.decode(page.entries, self.configuration)
      for (number, entry) in decoded.enumerated() {
        if number > 0, number % Self.turn == 0 { await Task.yield() }
        // The replica's own entries may have been folded in the meantime.
        guard entry.sequence > self.position.withLock({ $0.folded }) else { continue }
        self.fold(entry)
        if entry.sequence % self.configuration.snapshotInterval == 0 { self.beginSnapshot() }
      }
      if let foreign { try await self.stop(at: foreign) }
      guard self.position.withLock({ $0.folded < $0.head }) else { return self.didFoldAll() }
    }
  }

  /// Everything is read. Finds out whether the log also takes posts, unless it is known. An append
  /// can take much longer than a read, so folding does not wait for it.
  private func didFoldAll() {
    guard self.canAppend == false else { return self.setStatus(.current) }
    if case .away = self.knownStatus { self.setStatus(.behind) }
    guard self.isProbing == false else { return }
    self.isProbing = true
    Task {
      defer { self.isProbing = false }
      do {
        _ = try await self.log.append([])
        self.didAppend()
      } catch {
        self.metrics.didFailToAppend()
        self.didFailToAppend(ReplicaError(error))
      }
    }
  }

  private func didAppend() {
    self.canAppend = true
    switch self.knownStatus {
    case .behind, .readOnly: if self.lag == 0 { self.setStatus(.current) }
    case .current, .away, .stopped: break
    }
  }

  private func didFailToAppend(_ error: ReplicaError) {
    self.canAppend = false
    switch self.knownStatus {
    case .current, .behind, .readOnly: self.setStatus(.readOnly(error.message))
    case .away, .stopped: break
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
    self.position.withLock { $0 = (sequence, max(sequence, $0.head)) }
    throw ReplicaError(code: .stopped, message: message)
  }

  /// Folds one of the replica's own entries if it directly follows the newest folded entry. It uses
  /// the appended bytes instead of the action, so that the result is the same as on other servers.
  /// An entry at which a snapshot is due is read from the log instead.
  private func foldIfNext(_ sequenced: SequencedEntry, _ contents: EntryPayload<Action>?) {
    guard sequenced.sequence == self.position.withLock({ $0.folded }) + 1,
      sequenced.sequence % self.configuration.snapshotInterval != 0, self.outgoing.stop == nil,
      let entry = contents.map({ Decoded(sequenced, $0) })
        ?? (try? Self.decode(sequenced, self.configuration, JSONDecoder()))
    else { return }
    self.fold(entry)
  }

  private func fold(_ entry: Decoded) {
    let isOwn = entry.node == self.configuration.node
    let known = self.outgoing.takeOrigin(of: entry.id)
    let origin = isOwn ? known.origin : .elsewhere
    let begun = ContinuousClock.now
    let result = Result {
      guard let action = entry.contents?.action else { return }
      try ActionOrigin.$entryBytes.withValue(entry.bytes) {
        try ActionOrigin.$current.withValue(origin) {
          guard isOwn == false, let post = entry.contents?.post else {
            return try BacklogEntry.withCurrent(known.post) {
              try self.store.apply(
                action, version: entry.sequence, from: isOwn ? nil : entry.node)
            }
          }
          try SharedPost.$elsewhere.withValue((entry.id, post)) {
            try self.store.apply(action, version: entry.sequence, from: entry.node)
          }
        }
      }
    }
    self.metrics.didFold(in: .now - begun)
    self.position.withLock { $0 = (entry.sequence, max(entry.sequence, $0.head)) }
    self.outgoing.didFold(entry.sequence, result)
    self.marks?.didFold(entry.sequence, self.store.snapshot().state)
    if isOwn == false, let mark = entry.contents?.mark {
      self.marks?.compare(mark, of: entry.node)
    }
    if self.hasCaughtUp, entry.contents == nil, let answer = Barrier.answer(to: entry.id) {
      self.makeWay(answer)
    }
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
    guard contents != nil || Barrier.isBarrier(entry) else {
      throw ReplicaError(
        code: .stopped,
        message: "Entry \(sequence) has no action of this release. "
          + "Start the release that wrote it."
      )
    }
    return Decoded(sequenced, contents)
  }
}

// Snapshots.
extension Replica {
  /// Saves the newest state as a snapshot for replicas that join later. Call it after the last
  /// action of a release that is followed by a release with another reducer.
  ///
  /// - Throws: ``ReplicaError`` with code `stopped` if another replica has another state;
  ///   `ActionLogError` with code `unavailable`.
  public func keepSnapshot() async throws {
    await self.saving?.value
    do {
      try await self.save(self.unsavedSnapshot(at: self.position.withLock { $0.folded }))
    } catch let error as ReplicaError {
      throw error
    } catch let error as ActionLogError where error.code == .unavailable {
      throw error
    } catch {
      self.didFailToSave(error)
    }
  }

  /// Saves the newest state while folding goes on, because a large state takes long. If an earlier
  /// snapshot is still being saved, the next one will do.
  private func beginSnapshot() {
    guard self.saving == nil else { return }
    let snapshot = self.unsavedSnapshot(at: self.position.withLock { $0.folded })
    self.saving = Task {
      defer { self.saving = nil }
      do {
        try await self.save(snapshot)
      } catch let error as ReplicaError {
        self.divergence.withLock { $0 = error }
      } catch {
        self.didFailToSave(error)
      }
    }
  }

  /// The replica can continue without a snapshot.
  private func didFailToSave(_ error: any Error) {
    self.configuration.logger.error("No snapshot was kept", metadata: ["error": "\(error)"])
  }

  /// What a snapshot is made of.
  private struct UnsavedSnapshot: Sendable {
    let sequence: UInt64
    /// The sequence of the newest entry that the state contains. A barrier changes no state.
    let folded: UInt64
    let state: State
    let decisions: Decisions
  }

  /// - Parameter sequence: The sequence of the newest entry that the state contains, or of a barrier
  ///   after it.
  private func unsavedSnapshot(at sequence: UInt64) -> UnsavedSnapshot {
    UnsavedSnapshot(
      sequence: sequence,
      folded: self.position.withLock { $0.folded },
      state: self.store.snapshot().state,
      decisions: self.outgoing.decisions
    )
  }

  /// Saves a snapshot, unless another server has saved it. Other servers will start from it, so it is
  /// compared with the log first.
  ///
  /// - Throws: ``ReplicaError`` with code `stopped` if the log or another replica has another state;
  ///   `ActionLogError`.
  /// - Complexity: O(n), n entries since the newest snapshot, besides the reducer.
  @concurrent private nonisolated func save(_ unsaved: UnsavedSnapshot) async throws {
    let sequence = unsaved.sequence
    // There already is a snapshot at the beginning, perhaps from an older release.
    guard let coding = self.configuration.coding, sequence > self.begun else { return }
    let digest = coding.digest(unsaved.state)
    // The state is only encoded and sent if no other server has saved it.
    var kept = try await self.log.digest(ofSnapshot: sequence)
    if kept == nil {
      let mark = StateMark(sequence: unsaved.folded, digest: digest)
      if case .wrong(let error) = try await self.verdict(on: [mark], unsaved.state, coding) {
        throw error
      }
      let contents = SnapshotContents(
        state: try coding.encode(unsaved.state), decisions: unsaved.decisions)
      kept = try await self.log.save(
        LogSnapshot(
          sequence: sequence,
          reducer: self.configuration.reducer,
          digest: digest,
          state: contents.data
        ))
    }
    guard let kept, kept == digest else {
      throw ReplicaError(
        code: .stopped,
        message: "After entry \(sequence) the state differs from that of the other servers "
          + "(\(digest), \(kept ?? "")). Restart it, so that it begins with theirs."
      )
    }
    try await self.log.trim(
      keeping: self.configuration.snapshots, youngerThan: self.configuration.resendAge)
  }
}
