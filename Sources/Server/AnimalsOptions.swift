public import AnimalsData
import ArgumentParser
import Foundation
import ImmutableData
import Logging
import Pictures
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

  @Option(help: "The most bytes that a picture may have, up to 8388608.")
  var pictureBytes = 8 << 20

  @Option(help: "The most megabytes that all pictures together may have on the disk.")
  var pictureMegabytes = 1_024

  @Option(
    help: """
      The most pictures that an IPv4 address, or an IPv6 network of 64 bits, may send at once.
      """
  )
  var uploadsPerAddress = 16

  @Option(help: "The most animals. Those that are there stay when they are more.")
  var animalsLimit = AnimalsState.defaultLimit

  func validate() throws {
    guard (1...(8 << 20)).contains(self.pictureBytes) else {
      throw ValidationError(
        "--picture-bytes must be between 1 and 8388608, not \(self.pictureBytes).")
    }
    let limits = [
      ("--picture-megabytes", self.pictureMegabytes),
      ("--uploads-per-address", self.uploadsPerAddress),
      ("--animals-limit", self.animalsLimit), ("--animals-timeout", self.animalsTimeout),
    ]
    for (name, value) in limits where value < 1 {
      throw ValidationError("\(name) must be 1 or more, not \(value).")
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
  ///   - pictures: Those of the animals.
  ///   - isShared: Whether the store's state is kept as a whole, so that there is no database.
  ///   - logger: Receives the reason if the database cannot be opened yet.
  func listen(
    to store: Store<AnimalsState, AnimalsAction>,
    effects: EffectLanes,
    directory: URL,
    pictures: PictureStore?,
    isShared: Bool,
    logger: Logger
  ) async throws -> AnimalsCatalogue {
    guard isShared == false else {
      return await AnimalsCatalogue(StateStore(store), store, effects)
    }
    guard let url = self.animalsAPI.flatMap(URL.init(animalsAPI:)) else {
      let file = directory.appending(component: "animals.store", directoryHint: .notDirectory)
      let local = try ReopeningStore { [animalsLimit] in
        try LocalStore<UUID>(url: file, limit: animalsLimit)
      }
      if let reason = local.firstObstacle {
        logger.error(
          "The animals cannot be opened yet",
          metadata: ["file": "\(file.path())", "error": "\(reason)"]
        )
      }
      let cleaning = pictures.map { pictures in
        Task { await Self.removeUnused(pictures, local, logger) }
      }
      return await AnimalsCatalogue(local, store, effects) {
        local.obstacle.map { "The animals cannot be opened. \($0)" }
      } close: {
        cleaning?.cancel()
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
    return await AnimalsCatalogue(
      remote, store, effects, close: { session.invalidateAndCancel() })
  }
}

// Pictures.
extension AnimalsOptions {
  /// - Returns: The pictures, or else why there are none, for visitors.
  func openPictures(in directory: URL, _ logger: Logger) -> (PictureStore?, String?) {
    guard self.animalsAPI == nil else {
      return (nil, "Pictures are kept by a local catalogue only.")
    }
    do {
      let store = try PictureStore(
        directory: directory.appending(component: "pictures", directoryHint: .isDirectory),
        limits: PictureStore.Limits(
          bytes: self.pictureMegabytes << 20, uploadsPerClient: self.uploadsPerAddress),
        shrinker: Self.shrinker(logger)
      )
      return (store, nil)
    } catch {
      logger.error("Pictures cannot be kept", metadata: ["error": "\(error)"])
      return (nil, "Pictures cannot be kept at the moment.")
    }
  }

  /// - Returns: `nil` if it is missing: then pictures are shown whole.
  private static func shrinker(_ logger: Logger) -> PictureShrinker? {
    do {
      return try .besideThisProgram()
    } catch {
      logger.error("Small pictures cannot be made", metadata: ["error": "\(error)"])
      return nil
    }
  }

  /// Removes pictures that no animal has: now, and every ten minutes.
  private static func removeUnused(
    _ pictures: PictureStore,
    _ local: ReopeningStore<LocalStore<UUID>>,
    _ logger: Logger
  ) async {
    while Task.isCancelled == false {
      do {
        try await pictures.removeUnused { try await local.picturesInUse(among: $0) }
      } catch is CancellationError {
        return
      } catch {
        // Nothing is removed while nobody can say what is used.
        logger.warning("Unused pictures are still there", metadata: ["error": "\(error)"])
      }
      try? await Task.sleep(for: .seconds(600))
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
    obstacle: @escaping @Sendable () -> String? = { nil },
    close: @escaping @Sendable () throws -> Void = {}
  ) async {
    let listener = await Listener(store: kept, lanes: effects)
    await listener.listen(to: store)
    self.listener = listener
    self.obstacle = obstacle
    self.close = close
  }
}
