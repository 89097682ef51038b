public import AnimalsData
import ArgumentParser
import Foundation
import ImmutableData
import Logging
public import Services
import Terminal

extension NetworkSession: RemoteStoreNetworkSession {}
extension NetworkSessionError: RemoteStoreNetworkError {}

/// Where the catalogue of Animals is stored.
struct AnimalsOptions: ParsableArguments {
  @Option(
    help: """
      The address of an AnimalsDataServer that keeps the animals, for example \
      http://127.0.0.1:8081; without it they are in the data directory.
      """
  )
  var animalsAPI: String?

  @Option(help: "A file with the token that the AnimalsDataServer wants.")
  var animalsTokenFile: String?

  @Option(help: "How long the AnimalsDataServer may take to answer, in seconds.")
  var animalsTimeout = 10

  func validate() throws {
    guard self.animalsTimeout >= 1 else {
      throw ValidationError("--animals-timeout must be 1 or more, not \(self.animalsTimeout).")
    }
    guard self.animalsTokenFile == nil || self.animalsAPI != nil else {
      throw ValidationError("--animals-token-file is for --animals-api.")
    }
    if let address = self.animalsAPI, URL(animalsAPI: address) == nil {
      throw ValidationError(
        "--animals-api must be an address like http://127.0.0.1:8081, not \(address)."
      )
    }
  }

  /// Opens the catalogue and runs the effects of the store's actions.
  ///
  /// - Parameters:
  ///   - store: The store to listen to.
  ///   - effects: Where the effects run.
  ///   - directory: The folder for databases.
  ///   - logger: Receives the reason if the database cannot be opened yet.
  func listen(
    to store: Store<AnimalsState, AnimalsAction>,
    effects: EffectLanes,
    directory: URL,
    logger: Logger
  ) async throws -> AnimalsCatalogue {
    guard let url = self.animalsAPI.flatMap(URL.init(animalsAPI:)) else {
      let file = directory.appending(component: "animals.store", directoryHint: .notDirectory)
      let local = try ReopeningStore { try LocalStore<UUID>(url: file) }
      if let reason = local.firstObstacle {
        logger.error(
          "The animals cannot be opened yet",
          metadata: ["file": "\(file.path())", "error": "\(reason)"]
        )
      }
      return await AnimalsCatalogue(local, store, effects) {
        local.obstacle.map { "The animals cannot be opened. \($0)" }
      } close: {
        try local.close { try $0.close() }
      }
    }
    let timeout = TimeInterval(self.animalsTimeout)
    let session = URLSession.withTimeouts(idle: timeout, total: timeout)
    let remote = RemoteStore(
      session: NetworkSession(urlSession: session),
      url: url,
      token: try self.animalsTokenFile.map(TokenFile.read)
    )
    return await AnimalsCatalogue(remote, store, effects) {
      nil
    } close: {
      session.invalidateAndCancel()
    }
  }
}

/// The catalogue of Animals, on this machine or on another server.
struct AnimalsCatalogue: Sendable {
  private let listener: any AnyObject & Sendable
  /// Why the database on this machine cannot be used now; otherwise `nil`.
  let obstacle: @Sendable () -> String?
  /// Call it when no effect is in progress any more.
  let close: @Sendable () throws -> Void

  fileprivate init(
    _ kept: some PersistentSessionPersistentStore,
    _ store: Store<AnimalsState, AnimalsAction>,
    _ effects: EffectLanes,
    obstacle: @escaping @Sendable () -> String?,
    close: @escaping @Sendable () throws -> Void
  ) async {
    let listener = await Listener(store: kept, lanes: effects)
    await listener.listen(to: store)
    self.listener = listener
    self.obstacle = obstacle
    self.close = close
  }
}
