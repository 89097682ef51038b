import CoreMetrics
import ImmutableData
public import ImmutableUI
public import Replication
import ServiceLifecycle

extension WebServerConfiguration {
  /// Makes the server one of several that share a log: it runs the replica, and sessions are valid
  /// on all servers. `/readyz`, the metrics `log_ready`, `log_lag_entries` and `log_lag_seconds`,
  /// and pages say when the log cannot be reached.
  ///
  /// ```swift
  /// try await replica.catchUp()
  /// try await configuration.follow(replica)
  /// ```
  ///
  /// Give the configuration its own `obstacles` before: those of the replica are added to them. The
  /// replica replaces `sessionKey`, `readinessDetails`, `isCutOff` and `warning`.
  ///
  /// - Parameter replica: A replica that has caught up. It runs as long as the server, and then
  ///   saves a snapshot.
  /// - Throws: `ActionLogError` if the log cannot be reached; the configuration has not changed.
  public mutating func follow<State, Action>(_ replica: Replica<State, Action>) async throws {
    self.sessionKey = try await replica.sharedKey("session key")
    self.services.append(ReplicaService(replica: replica))
    let obstacles = self.obstacles
    self.obstacles = { await obstacles() + [replica.status.obstacle].compactMap(\.self) }
    self.readinessDetails = { replica.lag.lines }
    self.isCutOff = { replica.status.isCutOff }
    self.warning = { replica.status.warning }
  }
}

/// Follows the log until the server ends, and then saves a snapshot, so that the next server to
/// start has little to read.
private struct ReplicaService<State: Sendable, Action: Codable & Sendable>: Service {
  let replica: Replica<State, Action>

  func run() async throws {
    let reporting = Task { await self.report() }
    defer { reporting.cancel() }
    try await cancelWhenGracefulShutdown { try await self.replica.run() }
    await self.replica.leave()
  }

  private func report() async {
    let (entries, seconds) = (Gauge(label: "log_lag_entries"), Gauge(label: "log_lag_seconds"))
    let isReady = Gauge(label: "log_ready")
    while Task.isCancelled == false {
      let lag = self.replica.lag
      entries.record(lag.entries)
      seconds.record(lag.duration / .seconds(1))
      isReady.record(self.replica.status.obstacle == nil ? 1 : 0)
      try? await Task.sleep(for: .seconds(1))
    }
  }
}

extension ReplicaLag {
  /// Lines like those of `/metrics`.
  fileprivate var lines: [String] {
    let seconds = (self.duration / .milliseconds(1)).rounded() / 1_000
    return ["log_lag_entries \(self.entries)", "log_lag_seconds \(seconds)"]
  }
}

extension ReplicaStatus {
  /// Why the shown state may be old, or posts are not possible; otherwise `nil`.
  fileprivate var obstacle: String? {
    switch self {
    case .current: nil
    case .behind: "The log is being read."
    case .readOnly: "The log cannot be written."
    case .away: "The log cannot be reached."
    case .stopped(let reason): reason
    }
  }

  /// Whether there may be posts on other servers that this server does not know.
  fileprivate var isCutOff: Bool {
    switch self {
    case .current, .behind, .readOnly: false
    case .away, .stopped: true
    }
  }

  /// What visitors whose pages are not live should know.
  fileprivate var warning: String? {
    switch self {
    case .current, .behind: nil
    case .readOnly: "Changes cannot be saved at the moment."
    case .away, .stopped:
      "This page may be out of date: changes cannot be saved or received at the moment."
    }
  }
}

// Messages for visitors.
extension ReplicaError: RefusalConvertible {
  public var refusal: Refusal {
    switch self.code {
    case .tooLarge:
      Refusal(.tooLarge, ActionTooLargeError.sentence)
    case .forgotten:
      Refusal(
        .conflict, "This was sent long ago. Check whether it has happened before you try again.")
    case .refused:
      Refusal(.conflict, "This was refused before, and nothing has changed. Reload the page.")
    default:
      Refusal(
        .unavailable, "This cannot be saved at the moment. Nothing is lost: try again in a moment.")
    }
  }
}
