import AnimalsData
import CoreMetrics
import ImmutableData
import ImmutableServer
public import ImmutableUI
import Logging
import PostgreSQLLog
public import Replication
import ServiceLifecycle

/// This server as one of several that share a log.
struct Cluster: Service {
  private let replica: Replica<AppState, AppAction>
  /// The storage for the pictures of all servers.
  let pictures: PostgreSQLPictures
  private let logger: Logger
  /// The same for all servers, because a browser may connect to any of them.
  let sessionKey: [UInt8]

  init(
    _ replica: Replica<AppState, AppAction>,
    pictures: PostgreSQLPictures,
    sessionKey: [UInt8],
    logger: Logger
  ) {
    self.replica = replica
    self.pictures = pictures
    self.logger = logger
    self.sessionKey = sessionKey
  }

  var store: Store<AppState, AppAction> { self.replica.store }

  /// Reduces the entries of the log. Listeners that run effects must be attached before.
  func catchUp() async throws {
    try await self.replica.catchUp()
  }

  /// How far the state is behind the log, in lines like those of `/metrics`.
  var lag: [String] {
    let lag = self.replica.lag
    let seconds = (lag.duration / .milliseconds(1)).rounded() / 1_000
    return ["log_lag_entries \(lag.entries)", "log_lag_seconds \(seconds)"]
  }

  /// Why the shown state may be old, or posts are not possible; otherwise `nil`.
  var obstacle: String? {
    switch self.replica.status {
    case .current: nil
    case .behind: "The log is being read."
    case .readOnly: "The log cannot be written."
    case .away: "The log cannot be reached."
    case .stopped(let reason): reason
    }
  }

  /// Whether there may be posts on other servers that this server does not know.
  var isCutOff: Bool {
    switch self.replica.status {
    case .current, .behind, .readOnly: false
    case .away, .stopped: true
    }
  }

  /// What visitors whose pages are not live should know.
  var warning: String? {
    switch self.replica.status {
    case .current, .behind: nil
    case .readOnly: "Changes cannot be saved at the moment."
    case .away, .stopped:
      "This page may be out of date: changes cannot be saved or received at the moment."
    }
  }

  /// Follows the log until the server ends, and then adds a snapshot, so that the next server to
  /// start has little to read.
  func run() async throws {
    let reporting = Task { await self.report() }
    let cleaning = Task { await self.removeUnusedPictures() }
    defer {
      reporting.cancel()
      cleaning.cancel()
    }
    try await cancelWhenGracefulShutdown { try await self.replica.run() }
    await self.replica.leave()
  }

  /// Removes pictures that no animal has used for an hour, now and every ten minutes.
  private func removeUnusedPictures() async {
    while Task.isCancelled == false {
      if self.obstacle == nil, let used = self.store.snapshot().state.animals.pictureHashes {
        do {
          try await self.pictures.removeUnused(except: Array(used), grace: .seconds(3_600))
        } catch {
          self.logger.warning(
            "Unused pictures could not be removed", metadata: ["error": "\(error)"])
        }
      }
      try? await Task.sleep(for: .seconds(600))
    }
  }

  private func report() async {
    let (entries, seconds) = (Gauge(label: "log_lag_entries"), Gauge(label: "log_lag_seconds"))
    let isReady = Gauge(label: "log_ready")
    while Task.isCancelled == false {
      let lag = self.replica.lag
      entries.record(lag.entries)
      seconds.record(lag.duration / .seconds(1))
      isReady.record(self.obstacle == nil ? 1 : 0)
      try? await Task.sleep(for: .seconds(1))
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
