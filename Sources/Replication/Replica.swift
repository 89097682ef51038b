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
  /// Renews the leases.
  private var living: Task<Void, Never>?
  nonisolated let configuration: ReplicaConfiguration<State>
  let metrics = ReplicaMetrics()
  let outgoing: Outgoing<Action>
  /// `nil` if the configuration does not define digests of states.
  let marks: StateMarks<State>?
  nonisolated let initialState: State
  nonisolated let reducer: Reducer<State, Action>
  /// `nil` if the configuration has no file for it, or if the file cannot be used.
  let unfinishedEntry: UnfinishedEntry?
  /// Why it has to stop when it is woken next.
  let divergence = Mutex<ReplicaError?>(nil)
  /// The next audit starts no earlier than this.
  var nextAudit = ContinuousClock.now
  let newestStatus = Mutex(ReplicaStatus.behind)
  /// Whether the log took the newest append. The connection that appends is not the one that reads,
  /// so each can be lost while the other answers.
  var canAppend = false
  /// Whether an append is in progress that finds out whether the log takes appends again.
  var isProbing = false
  /// Whether a task is about to read own entries that could not be folded at once.
  var isFoldingSoon = false
  /// The snapshot that is being saved while entries are folded.
  var saving: Task<Void, Never>?
  /// Whether it begins with the last state of an older release.
  private let isAtBarrier: Bool
  /// Whether it has reduced all entries that the log had when it joined.
  var hasCaughtUp = false
  /// Waits for a newer release to take over.
  var makingWay: Task<Void, any Error>?
  let position: ReadingPosition
  /// The sequence of the entry after which it began.
  nonisolated let begun: UInt64

  private init(
    _ log: some ActionLog,
    _ configuration: ReplicaConfiguration<State>,
    initialState: State,
    _ start: Start,
    isAtBarrier: Bool,
    reducer: Reducer<State, Action>
  ) {
    self.isAtBarrier = isAtBarrier
    let marks = configuration.coding.map {
      StateMarks($0, interval: configuration.markInterval, pause: configuration.markPause)
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
    do {
      self.unfinishedEntry = try configuration.unfinishedEntry.map { try UnfinishedEntry(in: $0) }
    } catch {
      self.unfinishedEntry = nil
      configuration.logger.error(
        "If an entry ends this server, the next one cannot name it",
        metadata: ["error": "\(error)"])
    }
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
      nextMark: { marks?.next(after: $0, at: $1) },
      leaderLease: { liveness?.leadership.newest }
    )
    self.position = ReadingPosition(start.sequence)
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
    let snapshot = try await Self.snapshot(of: log, configuration)
    let replica = Replica(
      log,
      configuration,
      initialState: state,
      try Start(snapshot, configuration, orElse: state),
      isAtBarrier: snapshot.map { $0.reducer < configuration.reducer } ?? false,
      reducer: reducer
    )
    try await replica.liveness?.begin()
    return replica
  }

  /// The newest snapshot may be the state before the barrier of a newer release that has appended
  /// nothing else yet.
  ///
  /// - Throws: `ActionLogError`, or ``ReplicaError`` with code `stopped` if there is a newer release, or
  ///   if the log is another product's.
  static func check(
    _ snapshot: LogSnapshot?,
    _ log: some ActionLog,
    _ configuration: ReplicaConfiguration<State>
  ) async throws {
    guard let before = snapshot.map({ max(1, $0.sequence) - 1 }) else { return }
    do {
      let entry = try await log.page(after: before, limit: 1).entries.first?.entry
      guard let entry else { return }
      try Self.check(product: entry.product, configuration)
      guard entry.reducer > configuration.reducer else { return }
      throw ReplicaError.outdated(reducer: configuration.reducer)
    } catch let error as ActionLogError where error.code == .trimmed {
      // The newest entry is never removed, so others follow.
    }
  }

  /// A barrier in the log of another product would end that product's servers for good.
  private static func check(
    product: String, _ configuration: ReplicaConfiguration<State>
  ) throws(ReplicaError) {
    guard product != configuration.product else { return }
    throw ReplicaError(
      code: .stopped,
      message: "The log is that of the product \(product), and this program is "
        + "\(configuration.product). Give it a database of its own."
    )
  }

  /// The snapshot to start from; `nil` if every entry has to be read.
  private static func snapshot(
    of log: some ActionLog,
    _ configuration: ReplicaConfiguration<State>
  ) async throws -> LogSnapshot? {
    let newest = configuration.coding == nil ? nil : try await log.newestSnapshot()
    try await Self.check(newest, log, configuration)
    let following = try await log.page(after: newest?.sequence ?? 0, limit: 1).entries.first
    if let following { try Self.check(product: following.entry.product, configuration) }
    // Two products may begin at the same time, when the log has no entry that tells them apart.
    let product = try await log.fact(
      "product of the log", orElse: Data(configuration.product.utf8))
    try Self.check(product: String(decoding: product, as: UTF8.self), configuration)
    guard configuration.coding != nil, let reducer = following?.entry.reducer ?? newest?.reducer,
      reducer < configuration.reducer
    else { return newest }
    // Nothing is in progress if the log ends with a snapshot.
    return try await Barrier(configuration).cross(
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
    // The state is still that of the older release, whose servers can end nothing any more. Each server
    // that begins with it does this, and the log keeps the first end of each operation.
    if self.isAtBarrier {
      self.configuration.lanes?.endWaiting(because: Barrier(self.configuration).entry.id)
    }
    try await self.foldAll()
    await self.saving?.value
    if let divergence = self.divergence.withLock({ $0 }) { throw divergence }
    self.hasCaughtUp = true
    self.outgoing.onAppended = { [weak self] in self?.foldIfNext($0, $1) }
    self.outgoing.onUnavailable = { [weak self] in self?.didFailToAppend($0) }
  }

  /// Reduces appended entries until the task is cancelled or the replica has to stop. Meanwhile it
  /// takes over the effects of servers that have ended (``ReplicaConfiguration/lanes``).
  ///
  /// - Throws: ``ReplicaError`` with code `stopped` if it has to stop.
  public func run() async throws {
    self.living = self.liveness.map { liveness in Task { await liveness.run() } }
    let comparing = Task { [marks] in await marks?.run { await self.audit($0) } }
    defer {
      self.living?.cancel()
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
      if let newest, newest <= self.position.folded, self.knownStatus == .current,
        self.divergence.withLock({ $0 == nil })
      {
        self.position.didRead(upTo: newest)
        self.position.didComplete(.now)
      } else {
        try await self.foldNews()
      }
    }
  }

  private func foldNews() async throws {
    do {
      if let divergence = self.divergence.withLock({ $0 }) { throw divergence }
      do {
        try await self.foldAll()
      } catch let error as ActionLogError where error.code == .trimmed {
        try await self.joinAnew(because: error)
        try await self.foldAll()
      }
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
  /// - Parameter limit: How long to wait for a log that is unavailable, unless the task is cancelled.
  public func leave(within limit: Duration = .seconds(5)) async {
    guard await self.outgoing.finish(within: limit) else {
      self.configuration.logger.error("The log could not be reached before the server ended")
      return
    }
    // Its last actions may not have been reduced here, so that their effects have not begun.
    try? await self.foldAll()
    // Otherwise, it could take a lease again that is given up here.
    self.living?.cancel()
    await self.living?.value
    // A large state takes long to save.
    await self.liveness?.end()
    do {
      try await self.foldAll()
      try await self.keepSnapshot()
    } catch {
      self.configuration.logger.error("No snapshot was kept", metadata: ["error": "\(error)"])
    }
  }
}
