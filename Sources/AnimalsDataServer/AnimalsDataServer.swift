import AnimalsData
import ArgumentParser
import DatabaseFiles
import Foundation
import HTTPConnections
import Logging
import Pictures
import Terminal

/// Serves the catalog of animals to programs, as JSON over HTTP.
///
/// Source: the guide, chapter AnimalsDataServer.
@main struct AnimalsDataServer: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "AnimalsDataServer",
    abstract: "Serves the catalog of animals to programs.",
    discussion: """
      Post JSON to /animals/api, for example {"query": [{"animals": {}}]}. /animals/api/events sends \
      changes as server-sent events. /healthz and /readyz say how the server is. Every option has a default that runs. The database is created, with sample data, if it does not exist.
      """
  )

  @Option(help: "The address to listen on; any address but loopback requires --token-file.")
  var host = "127.0.0.1"

  @Option(help: "The port to listen on, 0 to 65535; 0 picks a free one.")
  var port = 8081

  @Option(
    help: """
      Names that clients may use for this server, separated by commas. Loopback names and IP \
      addresses are always allowed.
      """
  )
  var allowedHosts = ""

  @Option(help: "The file of the database.")
  var database = "default.store"

  @Option(help: "The maximum number of animals. Existing animals beyond it stay.")
  var animalsLimit = AnimalsState.defaultLimit

  @Option(
    help: "The folder of the pictures; by default, a folder next to the database, with its name."
  )
  var pictures: String?

  @Option(help: "The maximum size of all pictures on the disk, in megabytes.")
  var pictureMegabytes = 1_024

  @Option(help: "A file with the token that clients must send, as Authorization: Bearer TOKEN.")
  var tokenFile: String?

  @Option(help: "The maximum size of a request's body, in bytes.")
  var bodyLimit = 1_048_576

  @OptionGroup var timeouts: TimeoutOptions

  @Option(help: "The maximum number of clients that follow the changes.")
  var followers = 64

  @Option(
    help: """
      The maximum number of connections per IPv4 address, or IPv6 network of 64 bits. Behind a \
      proxy, all clients have its address.
      """
  )
  var connectionsPerNetwork = 500

  @OptionGroup var log: LogOptions

  /// Runs the server, or reports in one line what is wrong with the options.
  static func main() async {
    await Self.runOrComplain { LogWriter.standardError.writeLast($0) }
  }

  func validate() throws {
    guard (0...65_535).contains(self.port) else {
      throw ValidationError("--port must be between 0 and 65535, not \(self.port).")
    }
    try self.require(
      [
        "--animals-limit": self.animalsLimit, "--body-limit": self.bodyLimit,
        "--followers": self.followers, "--connections-per-network": self.connectionsPerNetwork,
      ], in: .counts)
    try self.require(["--picture-megabytes": self.pictureMegabytes], in: .megabytes)
    guard HostPolicy.names(in: self.allowedHosts) != nil else {
      throw ValidationError(
        "--allowed-hosts must have names like api.example.org, without a scheme and a port, not "
          + "\(self.allowedHosts).")
    }
    let host = self.host.lowercased()
    // A name below localhost may resolve to another machine.
    let isOwn = HostPolicy.isLoopback(host) && host.hasSuffix(".localhost") == false
    guard self.tokenFile != nil || isOwn else {
      throw ValidationError(
        "--host \(self.host) is open to other machines. Set --token-file, or listen on 127.0.0.1."
      )
    }
  }

  func run() async throws {
    try ServerProcess.prepare()
    // Also for what the store logs.
    LoggingSystem.writeToStandardError(from: self.log.level, isJSON: self.log.isJSON)
    do {
      let token = try self.tokenFile.map(TokenFile.read).map(BearerToken.init)
      let changes = ChangeLog(readerLimit: self.followers)
      let store = try LocalStore<UUID>(
        url: URL(filePath: self.database), limit: self.animalsLimit
      ) {
        changes.append($0)
      }
      try await self.serve(store, changes, token)
    } catch {
      // One line that says what to do. The usage text would not help.
      throw Complaint("\(error)")
    }
  }

  private func openPictures(of store: LocalStore<UUID>, _ logger: Logger) -> APIPictures {
    let beside = URL(filePath: self.database).deletingPathExtension()
      .appendingPathExtension("pictures")
    let pictures = PictureStore(
      reopening: self.pictures.map { URL(filePath: $0, directoryHint: .isDirectory) } ?? beside,
      limits: PictureStore.Limits(bytes: self.pictureMegabytes << 20)
    )
    if let reason = pictures.obstacle {
      logger.error("Pictures cannot be stored yet", metadata: ["error": "\(reason)"])
    }
    return APIPictures(store: pictures) { try await store.picturesInUse(among: $0) }
  }

  private func serve(
    _ store: LocalStore<UUID>,
    _ changes: ChangeLog,
    _ token: BearerToken?
  ) async throws {
    let logger = Logger(label: "animals")
    var limits = ConnectionLimits(body: self.bodyLimit)
    limits.upload = APIPictures.limit
    limits.readTimeout = self.timeouts.read
    limits.writeTimeout = self.timeouts.write
    limits.idleTimeout = self.timeouts.idle
    limits.shares = ConnectionShares(limit: self.connectionsPerNetwork) {
      ClientNetwork.key(of: $0)
    }
    let pictures = self.openPictures(of: store, logger)
    let folder = DiskCheck()
    let server = APIServer(
      api: API(
        store: store,
        hosts: HostPolicy(allowed: HostPolicy.names(in: self.allowedHosts) ?? []),
        token: token,
        limits: limits,
        pictures: pictures,
        changes: changes
      ) {
        async let animals = store.file.obstacle
        async let pictures = folder.obstacle { pictures.store.obstacle }
        return await [
          animals.map { "The database cannot be used. \($0)" },
          pictures.map { "Pictures cannot be used. \($0)" },
        ].compactMap(\.self)
      },
      host: self.host,
      port: self.port,
      logger: logger,
      endings: [Ending("The database", blocking: store.close)]
    )
    try await server.run { print("Listening on \($0)") }
  }
}
