import ActionLogs
import ImmutableData
import Logging

/// Says that this process lives, runs the effects of processes that have ended before their effects, and
/// leads if no other process does.
///
/// Each process has a lease of its own and extends it. Whoever gets the lease of another process knows
/// that it has ended, or is cut off; and nobody else gets it at the same time. An effect that runs here
/// and there tells the log once, since what it tells has the same id.
struct Liveness: Sendable {
  let log: any ActionLog
  let node: String
  let lanes: EffectLanes
  let logger: Logger
  /// How long a lease lasts: so long after a process has ended its effects begin again elsewhere.
  let lease: Duration

  private func name(_ node: String) -> String { "node/\(node)" }

  /// Who holds this follows what happens outside.
  private static let leader = "leader"

  /// Takes the lease. Until then nothing may be appended: others would take over what they see.
  ///
  /// - Throws: `ActionLogError`.
  func begin() async throws {
    await self.lanes.lead(false)
    _ = try await self.acquire(self.name(self.node))
  }

  private func acquire(_ name: String) async throws -> Lease? {
    try await self.log.acquireLease(name, holder: self.node, for: self.lease)
  }

  /// Goes on until the task is cancelled. What fails while the log is away is tried again: the lease may
  /// be lost by then, and the effects run twice.
  func run() async {
    while Task.isCancelled == false {
      do {
        _ = try await self.acquire(self.name(self.node))
        await self.lanes.lead(try await self.acquire(Self.leader) != nil)
        for node in await self.lanes.foreignNodes().sorted() { try await self.takeOver(node) }
        try await self.endOrphans()
      } catch {
        // Soon another process may lead.
        await self.lanes.lead(false)
        self.logger.debug("The lease cannot be extended", metadata: ["error": "\(error)"])
      }
      try? await Task.sleep(for: self.lease / 3)
    }
    await self.lanes.lead(false)
  }

  /// Gives the leases back, because no effect is in progress any more.
  func end() async {
    do {
      for name in [self.name(self.node), Self.leader] {
        if let lease = try await self.acquire(name) { try await self.log.release(lease) }
      }
    } catch {
      // They end by themselves.
    }
  }

  /// One server is enough for it.
  private func endOrphans() async throws {
    let count = try await self.lanes.endOrphans {
      try await self.acquire("orphans") != nil
    }
    guard count > 0 else { return }
    self.logger.error(
      "Operations have ended that nobody carried out", metadata: ["count": "\(count)"])
  }

  private func takeOver(_ node: String) async throws {
    guard try await self.acquire(self.name(node)) != nil else { return }
    self.logger.notice("The effects of another server run here", metadata: ["server": "\(node)"])
    await self.lanes.takeOver(node)
  }
}
