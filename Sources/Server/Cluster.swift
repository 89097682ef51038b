import AnimalsData
import ImmutableData
import Logging
import PostgreSQLLog
import Replication
import ServiceLifecycle

/// This server as one of several that share a log.
struct Cluster: Service {
  let replica: Replica<AppState, AppAction>
  /// The storage for the pictures of all servers.
  let pictures: PostgreSQLPictures
  private let logger: Logger

  init(
    _ replica: Replica<AppState, AppAction>,
    pictures: PostgreSQLPictures,
    logger: Logger
  ) {
    self.replica = replica
    self.pictures = pictures
    self.logger = logger
  }

  var store: Store<AppState, AppAction> { self.replica.store }

  /// Reduces the entries of the log. Listeners that run effects must be attached before.
  func catchUp() async throws {
    try await self.replica.catchUp()
  }

  /// Removes pictures that no animal has used for an hour, now and every ten minutes, until the
  /// server ends.
  func run() async throws {
    await cancelWhenGracefulShutdown { await self.removeUnusedPictures() }
  }

  private func removeUnusedPictures() async {
    while Task.isCancelled == false {
      // A server that was suspended may know of newer entries before it has reduced them.
      if self.replica.status == .current, self.replica.lag.entries == 0,
        let used = self.store.snapshot().state.animals.pictureHashes
      {
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
}
