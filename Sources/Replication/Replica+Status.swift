import ActionLogs
import Logging
import Synchronization

// What the log does, and what that means for posts and pages.
extension Replica {
  /// Whether the state is as recent as that of the others, and whether actions can be posted.
  public nonisolated var status: ReplicaStatus {
    let status = self.knownStatus
    // The log is read several times a second. A replica that is cut off gets no error, only
    // silence.
    switch status {
    case .away, .stopped: return status
    case .current, .behind, .readOnly:
      let isSilent = self.position.answered < .now - self.configuration.lease
      return isSilent ? .away("The log does not answer.") : status
    }
  }

  /// The status when the log last answered.
  nonisolated var knownStatus: ReplicaStatus { self.newestStatus.withLock { $0 } }

  /// How far the state is behind the log.
  public nonisolated var lag: ReplicaLag { self.position.lag }

  /// Everything is read. Finds out whether the log also takes posts, unless it is known. An append
  /// can take much longer than a read, so folding does not wait for it.
  func didFoldAll() {
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
        self.didFailToAppend(error)
      }
    }
  }

  private func didAppend() {
    self.canAppend = true
    switch self.knownStatus {
    case .behind, .readOnly: if self.lag.entries == 0 { self.setStatus(.current) }
    case .current, .away, .stopped: break
    }
  }

  func didFailToAppend(_ error: any Error) {
    self.canAppend = false
    // The connection that reads may still be one to a database that has all entries.
    if (error as? ActionLogError)?.code == .ahead { self.stopSoon(error) }
    switch self.knownStatus {
    case .current, .behind, .readOnly: self.setStatus(.readOnly("\(error)"))
    case .away, .stopped: break
    }
  }

  func setStatus(_ status: ReplicaStatus) {
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
