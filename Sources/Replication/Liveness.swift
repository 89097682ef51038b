import ActionLogs
import ImmutableData
import Logging

/// Says that this process lives, and runs the effects of processes that have ended before their effects.
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

  /// Takes the lease. Until then nothing may be appended: others would take over what they see.
  ///
  /// - Throws: `ActionLogError`.
  func begin() async throws {
    _ = try await self.log.acquireLease(self.name(self.node), holder: self.node, for: self.lease)
  }

  /// Goes on until the task is cancelled. What fails while the log is away is tried again: the lease may
  /// be lost by then, and the effects run twice.
  func run() async {
    while Task.isCancelled == false {
      try? await Task.sleep(for: self.lease / 3)
      do {
        try await self.begin()
        for node in await self.lanes.foreignNodes().sorted() { try await self.takeOver(node) }
        try await self.endOrphans()
      } catch {
        self.logger.debug("The lease cannot be extended", metadata: ["error": "\(error)"])
      }
    }
  }

  /// Gives the lease back, because no effect is in progress any more.
  func end() async {
    do {
      let lease = try await self.log.acquireLease(
        self.name(self.node), holder: self.node, for: self.lease)
      if let lease { try await self.log.release(lease) }
    } catch {
      // It ends by itself.
    }
  }

  /// One server is enough for it.
  private func endOrphans() async throws {
    let count = try await self.lanes.endOrphans {
      try await self.log.acquireLease("orphans", holder: self.node, for: self.lease) != nil
    }
    guard count > 0 else { return }
    self.logger.error(
      "Operations have ended that nobody carried out", metadata: ["count": "\(count)"])
  }

  private func takeOver(_ node: String) async throws {
    let lease = try await self.log.acquireLease(
      self.name(node), holder: self.node, for: self.lease)
    guard lease != nil else { return }
    self.logger.notice("The effects of another server run here", metadata: ["server": "\(node)"])
    await self.lanes.takeOver(node)
  }
}
