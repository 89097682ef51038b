public import ActionLogs
import Foundation
public import ImmutableData
import Logging
import Synchronization

/// One of several stores that fold the same log, and so have the same states.
///
/// An action that is dispatched or posted to its store is appended to the log, and reduced when it is
/// read from there: by every replica, in the order of the log. Its effects run only where it came from.
/// The versions of the store are the sequences of the log.
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
  private let outgoing: Outgoing<Action>
  /// `nil` if nobody says how digests of states are made.
  let marks: StateMarks<State>?
  nonisolated let initialState: State
  nonisolated let reducer: Reducer<State, Action>
  /// Why it has to stop, found beside folding.
  var divergence: ReplicaError?
  /// The log is not read again before this, to find whose state it is that differs.
  var nextAudit = ContinuousClock.now
  private let newestStatus = Mutex(ReplicaStatus.behind)
  /// When the log has last answered.
  private let read = Mutex(ContinuousClock.now)
  /// The sequences of the newest entry that was reduced, and of the newest that the log had.
  private let position: Mutex<(folded: UInt64, head: UInt64)>
  /// That of the entry after which it began.
  private let begun: UInt64

  private init(
    _ log: some ActionLog,
    _ configuration: ReplicaConfiguration<State>,
    initialState: State,
    _ start: Start,
    reducer: Reducer<State, Action>
  ) {
    let marks = configuration.coding.map {
      StateMarks($0, interval: configuration.markInterval)
    }
    self.log = log
    self.marks = marks
    self.initialState = initialState
    self.reducer = reducer
    self.liveness = configuration.lanes.map { lanes in
      Liveness(
        log: log,
        node: configuration.node,
        lanes: lanes,
        logger: configuration.logger,
        lease: configuration.lease
      )
    }
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
      newestMark: { marks?.newest }
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

  /// Makes a store with the state that the others have: from the newest snapshot, and all entries after
  /// it.
  ///
  /// - Parameters: Those of ``begin(_:_:initialState:reducer:)``.
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

  /// Makes a store with the state of the newest snapshot. Whoever runs effects listens to it before
  /// ``catchUp()``: so it knows which effects of servers that have ended have not.
  ///
  /// - Parameters:
  ///   - log: The log that the others fold.
  ///   - configuration: Who joins, and how.
  ///   - state: The state before the first entry.
  ///   - reducer: The same that the others have. It may not return effects.
  /// - Throws: `ActionLogError`, or ``ReplicaError`` with code `stopped` if the log is not for this
  ///   release.
  public static func begin(
    _ log: some ActionLog,
    _ configuration: ReplicaConfiguration<State>,
    initialState state: State,
    reducer: Reducer<State, Action>
  ) async throws -> Replica {
    let snapshot =
      configuration.coding == nil ? nil : try await Self.snapshot(of: log, configuration)
    let replica = Replica(
      log,
      configuration,
      initialState: state,
      try Start(snapshot, configuration, orElse: state),
      reducer: reducer
    )
    try await replica.liveness?.begin()
    return replica
  }

  /// The snapshot to begin with; `nil` if every entry has to be read.
  private static func snapshot(
    of log: some ActionLog,
    _ configuration: ReplicaConfiguration<State>
  ) async throws -> LogSnapshot? {
    let newest = try await log.newestSnapshot()
    let following = try await log.page(after: newest?.sequence ?? 0, limit: 1).entries.first
    guard let reducer = following?.entry.reducer ?? newest?.reducer,
      reducer < configuration.reducer
    else { return newest }
    let barrier = Barrier(
      product: configuration.product, reducer: configuration.reducer, node: configuration.node)
    return try await barrier.cross(log, within: configuration.barrierLimit)
  }

  /// Reduces all entries that the log has.
  ///
  /// - Throws: `ActionLogError`, or ``ReplicaError`` with code `stopped`.
  /// - Complexity: O(n), n entries since the snapshot, besides the reducer.
  public func catchUp() async throws {
    try await self.foldAll()
    self.outgoing.onAppended = { [weak self] in self?.foldIfNext($0) }
  }

  /// Whether what is shown is what others show, and whether anything can be posted.
  public nonisolated var status: ReplicaStatus {
    let status = self.knownStatus
    // It is asked several times a second. Whoever is cut off is not told: nothing comes.
    guard [.current, .behind].contains(status),
      self.read.withLock({ $0 }) < .now - self.configuration.lease
    else { return status }
    return .away("The log does not answer.")
  }

  /// The status when it has last heard of the log.
  private nonisolated var knownStatus: ReplicaStatus { self.newestStatus.withLock { $0 } }

  /// How many entries it had not reduced when it last looked.
  public nonisolated var lag: UInt64 { self.position.withLock { $0.head - $0.folded } }

  /// Reduces what is appended, until the task is cancelled or the replica has to stop. Meanwhile it runs
  /// the effects of servers that have ended (``ReplicaConfiguration/lanes``).
  ///
  /// - Throws: ``ReplicaError`` with code `stopped` if it has to stop.
  public func run() async throws {
    let living = self.liveness.map { liveness in Task { await liveness.run() } }
    let comparing = Task { [marks] in await marks?.run { await self.audit($0) } }
    defer {
      living?.cancel()
      comparing.cancel()
    }
    for await newest in self.log.wakes() {
      do {
        if let divergence { throw divergence }
        if let newest, newest <= self.position.withLock({ $0.folded }), self.knownStatus == .current
        {
          self.read.withLock { $0 = .now }
          continue
        }
        try await self.foldAll()
      } catch let error as ActionLogError where error.code == .unavailable {
        self.setStatus(.away(error.message))
        self.outgoing.giveUp(ReplicaError(error))
      } catch {
        let stop = ReplicaError(code: .stopped, message: "\(error)")
        self.setStatus(.stopped(stop.message))
        self.outgoing.giveUp(stop)
        throw stop
      }
    }
    self.outgoing.giveUp(ReplicaError(code: .stopped, message: "The server is ending."))
  }

  /// Writes what was sent, keeps a snapshot, and says that this server has ended, so that nobody waits
  /// for it. Call it after ``run()``, when no effect is in progress any more.
  ///
  /// - Parameter limit: How long to wait for a log that is away.
  public func leave(within limit: Duration = .seconds(5)) async {
    guard await self.outgoing.finish(within: limit) else {
      self.configuration.logger.error("The log could not be reached before the server ended")
      return
    }
    do {
      try await self.foldAll()
      try await self.keepSnapshot()
    } catch {
      self.configuration.logger.error("No snapshot was kept", metadata: ["error": "\(error)"])
    }
    await self.liveness?.end()
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
    case (.away, .away): break
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
  }

  /// Why an entry is not for this release.
  private struct Foreign: Sendable {
    let sequenced: SequencedEntry
    let error: ReplicaError
  }

  /// So many entries are reduced without letting anybody else use the main actor.
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
        // Own entries may have been folded meanwhile.
        guard entry.sequence > self.position.withLock({ $0.folded }) else { continue }
        self.fold(entry)
        if entry.sequence % self.configuration.snapshotInterval == 0 {
          try await self.keepSnapshot()
        }
      }
      if let foreign { try await self.stop(at: foreign) }
      guard self.position.withLock({ $0.folded < $0.head }) else { return self.setStatus(.current) }
    }
  }

  /// Ends at an entry that is not for this release: none may be skipped.
  ///
  /// - Throws: Always ``ReplicaError`` with code `stopped`.
  private func stop(at foreign: Foreign) async throws {
    let (sequence, entry) = (foreign.sequenced.sequence, foreign.sequenced.entry)
    guard Barrier.isBarrier(entry), entry.product == self.configuration.product,
      entry.reducer > self.configuration.reducer
    else { throw foreign.error }
    // The newer release begins with the state before it.
    self.position.withLock { $0 = (sequence, max(sequence, $0.head)) }
    try await self.keepSnapshot()
    throw ReplicaError(
      code: .stopped,
      message: "A newer release goes on with the log, from entry \(sequence). This one has ended."
    )
  }

  /// Folds an own entry that follows what was folded, from what was appended and not from the action, so
  /// that it is the same as for the others. After a snapshot's entry the state has to be kept, so that
  /// one is read.
  private func foldIfNext(_ sequenced: SequencedEntry) {
    guard sequenced.sequence == self.position.withLock({ $0.folded }) + 1,
      sequenced.sequence % self.configuration.snapshotInterval != 0, self.outgoing.stop == nil,
      let entry = try? Self.decode(sequenced, self.configuration, JSONDecoder())
    else { return }
    self.fold(entry)
  }

  private func fold(_ entry: Decoded) {
    let isOwn = entry.node == self.configuration.node
    let known = self.outgoing.takeOrigin(of: entry.id)
    let origin = isOwn ? known : .elsewhere
    let result = Result {
      guard let action = entry.contents?.action else { return }
      try ActionOrigin.$entryBytes.withValue(entry.bytes) {
        try ActionOrigin.$current.withValue(origin) {
          try self.store.apply(action, version: entry.sequence, from: isOwn ? nil : entry.node)
        }
      }
    }
    self.position.withLock { $0 = (entry.sequence, max(entry.sequence, $0.head)) }
    self.outgoing.didFold(entry.sequence, result)
    self.marks?.didFold(entry.sequence, self.store.snapshot().state)
    if isOwn == false, let mark = entry.contents?.mark {
      self.marks?.compare(mark, of: entry.node)
    }
  }

  /// - Returns: The entries up to the first that is not for this release, and that.
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
    return Decoded(
      sequence: sequence,
      id: entry.id,
      node: entry.node,
      contents: contents,
      bytes: entry.payload.count
    )
  }
}

// Snapshots.
extension Replica {
  /// Keeps the newest state for those who join. Call it when a release ends that others with another
  /// reducer follow, after the last action.
  ///
  /// - Throws: ``ReplicaError`` with code `stopped` if another replica has another state;
  ///   `ActionLogError` with code `unavailable`.
  public func keepSnapshot() async throws {
    guard let coding = self.configuration.coding else { return }
    let state = self.store.snapshot().state
    let sequence = self.position.withLock { $0.folded }
    // There is one, perhaps of an older release.
    guard sequence > self.begun else { return }
    let reducer = self.configuration.reducer
    let decisions = self.outgoing.decisions
    do {
      let snapshot = try await Self.snapshot(
        of: state, sequence, decisions, coding, reducer: reducer)
      let kept = try await self.log.save(snapshot)
      guard kept == snapshot.digest else {
        throw ReplicaError(
          code: .stopped,
          message: "After entry \(sequence) the state is not that of the other servers "
            + "(\(snapshot.digest), \(kept)). Start it again: it begins with theirs."
        )
      }
      try await self.log.trim(
        keeping: self.configuration.snapshots, youngerThan: self.configuration.resendAge)
    } catch let error as ReplicaError {
      throw error
    } catch let error as ActionLogError where error.code == .unavailable {
      throw error
    } catch {
      // It can do without, and says so.
      self.configuration.logger.error("No snapshot was kept", metadata: ["error": "\(error)"])
    }
  }

  @concurrent private static func snapshot(
    of state: State,
    _ sequence: UInt64,
    _ decisions: Decisions,
    _ coding: SnapshotCoding<State>,
    reducer: Int
  ) async throws -> LogSnapshot {
    LogSnapshot(
      sequence: sequence,
      reducer: reducer,
      digest: coding.digest(state),
      state: try SnapshotContents(state: coding.encode(state), decisions: decisions).data
    )
  }
}
