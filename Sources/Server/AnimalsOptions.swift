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

/// Where the catalog of Animals is stored.
struct AnimalsOptions: ParsableArguments {
  @Option(
    help: """
      The address of an AnimalsDataServer that stores the animals, for example \
      http://127.0.0.1:8081; without it they are in the data directory.
      """
  )
  var animalsAPI: String?

  @Option(help: "A file with the token that the AnimalsDataServer requires.")
  var animalsTokenFile: String?

  @Option(help: "How long the AnimalsDataServer may take to answer, in seconds. (default: 10)")
  var animalsTimeout: Int?

  @Option(help: "The maximum size of a picture in bytes, up to 8388608.")
  var pictureBytes = 8 << 20

  @Option(help: "The maximum size of all pictures on the disk, in megabytes.")
  var pictureMegabytes = 1_024

  @Option(
    help: """
      The maximum number of concurrent uploads per IPv4 address, or IPv6 network of 64 bits.
      """
  )
  var uploadsPerNetwork = 16

  @Option(help: "The maximum number of animals. Existing animals beyond it stay.")
  var animalsLimit = AnimalsState.defaultLimit

  func validate() throws {
    guard (1...(8 << 20)).contains(self.pictureBytes) else {
      throw ValidationError(
        "--picture-bytes must be between 1 and 8388608, not \(self.pictureBytes).")
    }
    try self.require(["--picture-megabytes": self.pictureMegabytes], in: .megabytes)
    try self.require(
      ["--uploads-per-network": self.uploadsPerNetwork, "--animals-limit": self.animalsLimit],
      in: .counts)
    if let timeout = self.animalsTimeout {
      try self.require(["--animals-timeout": timeout], in: .seconds)
      guard self.animalsAPI != nil else {
        throw ValidationError("--animals-timeout is only for --animals-api.")
      }
    }
    guard self.animalsTokenFile == nil || self.animalsAPI != nil else {
      throw ValidationError("--animals-token-file is only for --animals-api.")
    }
    if let address = self.animalsAPI, URL(animalsAPI: address) == nil {
      throw ValidationError(
        "--animals-api must be an address like http://127.0.0.1:8081, not \(address)."
      )
    }
  }

  /// In seconds.
  var timeout: Int { self.animalsTimeout ?? 10 }

  /// Opens the catalog and runs the effects of the store's actions.
  ///
  /// - Parameters:
  ///   - store: The store to listen to.
  ///   - effects: Where the effects run.
  ///   - directory: The folder for databases.
  ///   - pictures: The pictures of the animals.
  ///   - isShared: Whether the store's state is stored as a whole, so that there is no database.
  ///   - logger: Receives the reason if the database cannot be opened yet.
  func listen(
    to store: Store<AnimalsState, AnimalsAction>,
    effects: EffectLanes,
    directory: URL,
    pictures: PictureStore,
    isShared: Bool,
    logger: Logger
  ) async throws -> ProductData {
    func listen(
      _ kept: some PersistentSessionPersistentStore,
      file: DatabaseFile? = nil,
      usedPictures: PictureStore.UsedPictures? = nil
    ) async -> ProductData {
      // The pictures of a catalog on another server can be fetched again.
      let used = usedPictures ?? { store.snapshot().state.pictureHashes?.intersection($0) ?? $0 }
      let cleaning = Task {
        await pictures.keepRemovingUnused(except: used) { error in
          logger.warning("Unused pictures could not be removed", metadata: ["error": "\(error)"])
        }
      }
      let listener = await Listener(store: kept, lanes: effects)
      await listener.listen(to: store)
      return ProductData("The animals", listener, file: file, cleaning: cleaning, logger)
    }

    if isShared { return await listen(StateStore(store)) }
    if let url = self.animalsAPI.flatMap(URL.init(animalsAPI:)) {
      let session = NetworkSession(urlSession: self.session())
      return await listen(RemoteStore(session: session, url: url, token: try self.token))
    }
    let local = try LocalStore<UUID>(
      reopening: directory.appending(component: "animals.store", directoryHint: .notDirectory),
      limit: self.animalsLimit
    )
    return await listen(local, file: local.file) { try await local.picturesInUse(among: $0) }
  }

  private func session(total: TimeInterval? = nil) -> URLSession {
    let timeout = TimeInterval(self.timeout)
    return URLSession.withTimeouts(idle: timeout, total: total ?? timeout)
  }

  private var token: String? {
    get throws { try self.animalsTokenFile.map(TokenFile.read) }
  }
}

// Pictures.
extension AnimalsOptions {
  /// - Parameters:
  ///   - directory: The folder of the data.
  ///   - origin: The shared storage, if several servers share a log.
  ///   - logger: Receives the reason if they cannot be stored yet.
  /// - Throws: When the token cannot be read.
  func openPictures(
    in directory: URL,
    origin: (any PictureOrigin)?,
    _ logger: Logger
  ) throws -> PictureStore {
    let origin = try origin ?? self.remotePictures
    // The pictures of a local catalog are used by its animals, which differ from the shared ones.
    let name = origin == nil ? "pictures" : "shared-pictures"
    let store = PictureStore(
      reopening: directory.appending(component: name, directoryHint: .isDirectory),
      limits: PictureStore.Limits(
        bytes: self.pictureMegabytes << 20, uploadsPerClient: self.uploadsPerNetwork),
      shrinker: Self.shrinker(logger),
      origin: origin
    )
    if let reason = store.obstacle {
      logger.error("Pictures cannot be stored yet", metadata: ["error": "\(reason)"])
    }
    return store
  }

  /// `nil` if the catalog is on this machine.
  private var remotePictures: RemotePictures? {
    get throws {
      guard let url = self.animalsAPI.flatMap(URL.init(animalsAPI:)) else { return nil }
      let session = NetworkSession(
        urlSession: self.session(total: max(60, TimeInterval(self.timeout))),
        bodyLimit: 8 << 20
      )
      return RemotePictures(session: session, url: url, token: try self.token)
    }
  }

  /// - Returns: `nil` if it is missing; pictures are then shown in full size.
  private static func shrinker(_ logger: Logger) -> PictureShrinker? {
    do {
      return try .besideThisProgram()
    } catch {
      logger.error("Small pictures cannot be made", metadata: ["error": "\(error)"])
      return nil
    }
  }
}
