import AnimalsData
import ArgumentParser
import DeveloperTools
import Foundation
import ImmutableData
import Logging
import PostgreSQLLog
import QuakesData
import Replication

/// Whether this server shares its state with others.
struct ClusterOptions: ParsableArguments {
  @Option(
    name: .customLong("log"),
    help: """
      The address of a PostgreSQL database whose log of actions several servers share, for example \
      postgres://server@db.example.org/products; without it this server is alone.
      """
  )
  var address: String?

  func validate() throws {
    do {
      _ = try self.address.map { try PostgreSQLAddress($0) }
    } catch {
      throw ValidationError("--log: \(error)")
    }
  }

  /// Makes the store that the servers share, without what has happened since its newest snapshot.
  ///
  /// - Parameters:
  ///   - lanes: Where effects run.
  ///   - animalsLimit: The most animals; the log keeps that of its first server, for all of them.
  ///   - logger: Receives what happens to the log.
  /// - Returns: `nil` if this server is alone.
  /// - Throws: If the log cannot be reached, or is of another release.
  func begin(
    _ lanes: EffectLanes,
    animalsLimit: Int,
    logger: Logger
  ) async throws -> Cluster? {
    guard let address = try self.address.map({ try PostgreSQLAddress($0) }) else { return nil }
    let log = PostgreSQLLog(address)
    try await log.open()
    var configuration = ReplicaConfiguration<AppState>(
      product: "app",
      reducer: AppReducer.number,
      coding: SnapshotCoding {
        try JSONEncoder().encode($0)
      } decode: {
        try JSONDecoder().decode(AppState.self, from: $0)
      } digest: {
        StateDigest(of: $0).text
      }
    )
    configuration.lanes = lanes
    configuration.logger = logger
    let limit = try await log.fact("animals limit", orElse: Data("\(animalsLimit)".utf8))
    let replica = try await Replica<AppState, AppAction>.begin(
      log,
      configuration,
      initialState: AppState(
        animals: .samples(
          noPictures: Cluster.noPictures,
          limit: Int(String(decoding: limit, as: UTF8.self))
        ),
        quakes: QuakesState(remembersDeleted: true)
      ),
      reducer: AppReducer.reducer
    )
    let kept = replica.store.snapshot().state.animals.animalLimit
    if kept != animalsLimit {
      logger.warning(
        "--animals-limit is that of the log's first server",
        metadata: ["limit": "\(kept)"]
      )
    }
    let key = (0..<16).map { _ in UInt8.random(in: .min ... .max) }
    return Cluster(
      replica, sessionKey: Array(try await log.fact("session key", orElse: Data(key))))
  }
}
