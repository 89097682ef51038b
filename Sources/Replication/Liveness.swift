import ActionLogs
import ImmutableData
import Logging
import Synchronization

/// The newest lease under which this process has led, perhaps not any more.
final class LeaderLease: Sendable {
  private let lease = Mutex<Lease?>(nil)

  /// `nil` if it has never led.
  var newest: Lease? { self.lease.withLock { $0 } }

  func note(_ lease: Lease) {
    self.lease.withLock { $0 = lease }
  }
}

/// Signals that this process is alive, takes over the effects of processes that have ended before
/// their effects, and leads if no other process does.
///
/// Each process holds its own lease and extends it. A process that acquires the lease of another
/// process knows that the other has ended or is cut off. It extends that lease until the effects
/// that it took over have ended, so that no third process runs them too, and then gives it back. If
/// the other process was only slow, its later effects run there alone. An effect that runs in two
/// processes adds its results to the log only once, because they have the same ids.
struct Liveness: Sendable {
  let log: any ActionLog
  let node: String
  let lanes: EffectLanes
  let logger: Logger
  /// How long a lease lasts. When a process ends, its effects start elsewhere after this time.
  let lease: Duration
  /// Written by ``run()``.
  let leadership = LeaderLease()
  private let metrics = ReplicaMetrics()

  /// The lease of another process.
  private enum TakenLease {
    /// It is held while effects of that process run here.
    case held(Lease)
    /// For one round, nobody but that process takes it.
    case givenBack
  }

  private func name(_ node: String) -> String { "node/\(node)" }

  /// A process that ends after its effects leaves this lease to itself, so that no other process runs
  /// them again. Those without a condition would otherwise count as unfinished (``Effect``).
  private func end(of node: String) -> String { "end/\(node)" }

  /// Longer than any process keeps the effects of another.
  private static let endLease = Duration.seconds(3_600)

  /// The process that holds this lease follows outside events.
  private static let leader = "leader"

  private func lead(_ leads: Bool) async {
    self.metrics.leads(leads)
    await self.lanes.lead(leads)
  }

  /// Takes the lease. Nothing may be appended before that, because other processes would take over
  /// the effects that they see.
  ///
  /// - Throws: `ActionLogError`.
  func begin() async throws {
    await self.lead(false)
    _ = try await self.acquire(self.name(self.node))
  }

  private func acquire(_ name: String) async throws -> Lease? {
    try await self.log.acquireLease(name, holder: self.node, for: self.lease)
  }

  /// Runs until the task is cancelled. Operations that fail while the log is unavailable are
  /// retried. The lease may be lost by then, so effects may run twice.
  func run() async {
    // Bounded by the processes with effects in progress.
    var taken: [String: TakenLease] = [:]
    var isRefused = false
    while Task.isCancelled == false {
      do {
        _ = try await self.acquire(self.name(self.node))
        let leader = try await self.acquire(Self.leader)
        if let leader {
          // The log may have dropped what was reported under the lease before, so following begins
          // again.
          if leader != self.leadership.newest { await self.lead(false) }
          self.leadership.note(leader)
        }
        await self.lead(leader != nil)
        for node in await self.lanes.foreignNodes().union(taken.keys).sorted() {
          taken[node] = try await self.takeOver(node, taken[node])
        }
        await self.endOrphans(if: leader != nil)
        isRefused = false
      } catch {
        // Another process may soon lead.
        await self.lead(false)
        // That the log is unavailable is logged by those who read and write it.
        let isAway = (error as? ActionLogError)?.code == .unavailable
        self.logger.log(
          level: isAway || isRefused ? .debug : .error, "The lease cannot be extended",
          metadata: ["error": "\(error)"])
        isRefused = isRefused || isAway == false
      }
      try? await Task.sleep(for: self.lease / 3)
    }
    await self.lead(false)
  }

  /// Releases the leases, because this process runs no more effects.
  func end() async {
    do {
      if self.lanes.count == 0 {
        _ = try await self.log.acquireLease(
          self.end(of: self.node), holder: self.node, for: Self.endLease)
      }
      for name in [self.name(self.node), Self.leader] {
        if let lease = try await self.acquire(name) { try await self.log.release(lease) }
      }
    } catch {
      // The leases expire by themselves.
    }
  }

  /// Every server notes how long operations wait. Only the leader ends them, because a server that is
  /// behind does not know what has ended already.
  private func endOrphans(if isLeader: Bool) async {
    let count = await self.lanes.endOrphans(if: isLeader)
    guard count > 0 else { return }
    self.logger.error(
      "Operations have ended without being executed", metadata: ["count": "\(count)"])
  }

  /// Runs the effects of another process if it has ended, and keeps its lease meanwhile.
  private func takeOver(_ node: String, _ taken: TakenLease?) async throws -> TakenLease? {
    switch taken {
    case .held(let lease):
      if await self.lanes.hasTakenOver(node) {
        if try await self.log.renew(lease, for: self.lease) { return taken }
        // It has ended while the log was unavailable.
        return try await self.acquire(self.name(node)).map { .held($0) }
      }
      try await self.log.release(lease)
      return .givenBack
    case .givenBack: return nil
    case nil:
      guard let lease = try await self.acquire(self.name(node)) else { return nil }
      guard try await self.hasEnded(node) == false else {
        await self.lanes.forget(node)
        return nil
      }
      guard await self.lanes.takeOver(node) > 0 else { return nil }
      self.logger.notice("The effects of another server run here", metadata: ["server": "\(node)"])
      self.metrics.didTakeOver()
      return .held(lease)
    }
  }

  /// Whether another process has ended after its effects.
  private func hasEnded(_ node: String) async throws -> Bool {
    let end = try await self.log.acquireLease(
      self.end(of: node), holder: self.node, for: .zero)
    return end == nil
  }
}
