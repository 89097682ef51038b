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

  /// Makes the store that the servers share, with the state of the newest snapshot.
  ///
  /// - Parameters:
  ///   - lanes: Where effects run.
  ///   - animalsLimit: The maximum number of animals. The log keeps the limit of its first server
  ///     for all servers.
  ///   - quakesLimit: The maximum number of earthquakes, kept in the same way.
  ///   - isSample: Whether all earthquakes are made up, kept in the same way.
  ///   - directory: The data directory.
  ///   - logger: Receives events of the log.
  /// - Returns: `nil` if this server does not share a log.
  /// - Throws: An error if the log cannot be reached, or belongs to another release.
  func begin(
    _ lanes: EffectLanes,
    animalsLimit: Int,
    quakesLimit: Int,
    isSample: Bool,
    directory: URL,
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
        var state = try JSONDecoder().decode(AppState.self, from: $0)
        // Releases before reducer 5 did not store limits with a log.
        state.animals.noPictures = nil
        return state
      } digest: {
        StateDigest(of: $0).text
      } digestAfter: {
        StateDigest.text(of: $2, from: $0, of: $1)
      } differences: {
        StateDifference(from: $0, to: $1).paths
      }
    )
    configuration.lanes = lanes
    // In memory if possible, because a disk that hangs would hold up every entry.
    let folders = ProcessInfo.processInfo.environment["RUNTIME_DIRECTORY"]?.split(separator: ":")
    let folder = folders?.first.map { URL(filePath: String($0)) } ?? directory
    configuration.unfinishedEntry = folder.appending(
      component: "unfinished-entry", directoryHint: .notDirectory)
    configuration.logger = logger
    let initialState = AppState(
      animals: .samples(
        limit: try await Self.setting(
          "animals limit", animalsLimit, of: "--animals-limit", log, logger)
      ),
      quakes: QuakesState(
        remembersDeleted: true,
        limit: try await Self.setting(
          "quakes limit", quakesLimit, of: "--quakes-limit", log, logger),
        isSample: try await Self.setting(
          "quakes sample", isSample, of: "--quakes-feed sample", log, logger)
      )
    )
    let replica = try await Replica<AppState, AppAction>.begin(
      log,
      configuration,
      initialState: initialState,
      reducer: AppReducer.reducer
    )
    let pictures = PostgreSQLPictures(address)
    try await pictures.open()
    return Cluster(replica, pictures: pictures, logger: logger)
  }

  /// A setting in the initial state. That of the log's first server applies to all servers.
  ///
  /// - Parameters:
  ///   - name: Its name in the log.
  ///   - own: That of this server.
  ///   - option: The option that sets it.
  private static func setting<Value: LosslessStringConvertible & Equatable>(
    _ name: String,
    _ own: Value,
    of option: String,
    _ log: PostgreSQLLog,
    _ logger: Logger
  ) async throws -> Value {
    let fact = try await log.fact(name, orElse: Data("\(own)".utf8))
    guard let value = Value(String(decoding: fact, as: UTF8.self)), value != own else { return own }
    logger.warning(
      "\(option) is that of the log's first server", metadata: ["value": "\(value)"])
    return value
  }
}
