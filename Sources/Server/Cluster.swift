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
  /// Where the pictures of all servers are.
  let pictures: PostgreSQLPictures
  private let logger: Logger
  /// The same for all servers: a browser may come to any of them.
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

  /// Reduces what the log has. Whoever runs effects has to listen to the store before.
  func catchUp() async throws {
    try await self.replica.catchUp()
  }

  /// Why what is shown may be old, or nothing can be posted; otherwise `nil`.
  var obstacle: String? {
    switch self.replica.status {
    case .current: nil
    case .behind: "The log is being read."
    case .away: "The log cannot be reached."
    case .stopped(let reason): reason
    }
  }

  /// Whether others may have posted what this server does not know.
  var isCutOff: Bool {
    switch self.replica.status {
    case .current, .behind: false
    case .away, .stopped: true
    }
  }

  /// Follows the log until the server ends, and leaves it a snapshot, so that whoever begins next has
  /// little to read.
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

  /// Removes pictures that no animal has had for an hour: now, and every ten minutes.
  private func removeUnusedPictures() async {
    while Task.isCancelled == false {
      if self.obstacle == nil, let used = self.store.snapshot().state.animals.pictureHashes {
        do {
          try await self.pictures.removeUnused(except: Array(used), grace: .seconds(3_600))
        } catch {
          self.logger.warning("Unused pictures are still there", metadata: ["error": "\(error)"])
        }
      }
      try? await Task.sleep(for: .seconds(600))
    }
  }

  private func report() async {
    let (lag, isReady) = (Gauge(label: "log_lag_entries"), Gauge(label: "log_ready"))
    while Task.isCancelled == false {
      lag.record(Int(self.replica.lag))
      isReady.record(self.obstacle == nil ? 1 : 0)
      try? await Task.sleep(for: .seconds(1))
    }
  }
}

// What visitors are told.
extension ReplicaError: RefusalConvertible {
  public var refusal: Refusal {
    switch self.code {
    case .tooLarge:
      Refusal(.tooLarge, "This is more than can be saved at once. Nothing has changed.")
    case .forgotten:
      Refusal(
        .conflict, "This was sent long ago. Look whether it has happened, before you try again.")
    case .refused:
      Refusal(.conflict, "This was refused before, and nothing has changed. Reload the page.")
    default:
      Refusal(
        .unavailable, "This cannot be saved at the moment. Nothing is lost: try again in a moment.")
    }
  }
}
