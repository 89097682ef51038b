import AnimalsData
import ArgumentParser
import DeveloperTools
import Foundation
import ImmutableData
import Logging
import PostgreSQLLog
import QuakesData
import Replication
import Terminal

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
  ///   - isSample: Whether all earthquakes are made up, as for the log's first server.
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
      // A release with one more upcaster writes snapshots that older ones cannot read.
      reducer: AppReducer.number + AppState.upcasters.count,
      coding: SnapshotCoding {
        try AppState.coding.encode($0)
      } decode: {
        var state = try AppState.coding.decode(AppState.self, from: $0)
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
    let sample = Data("\(isSample)".utf8)
    guard try await log.fact("quakes sample", orElse: sample) == sample else {
      throw Complaint(
        "The servers of a log show the same earthquakes, and its first server was started "
          + (isSample ? "without" : "with") + " --quakes-feed sample. Start this one so, too.")
    }
    let initialState = AppState(
      animals: .samples(
        limit: try await Self.limit("animals", animalsLimit, log, logger)
      ),
      quakes: QuakesState(
        remembersDeleted: true,
        limit: try await Self.limit("quakes", quakesLimit, log, logger),
        isSample: isSample
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

  /// The limit of the log's first server, which applies to all servers.
  private static func limit(
    _ name: String, _ own: Int, _ log: PostgreSQLLog, _ logger: Logger
  ) async throws -> Int {
    let fact = try await log.fact("\(name) limit", orElse: Data("\(own)".utf8))
    guard let limit = Int(String(decoding: fact, as: UTF8.self)), limit != own else { return own }
    logger.warning(
      "--\(name)-limit is that of the log's first server", metadata: ["limit": "\(limit)"])
    return limit
  }
}
