public import AnimalsData
public import ArgumentParser
import Foundation
public import Services
import Terminal

extension NetworkSession: RemoteStoreNetworkSession {}
extension NetworkSessionError: RemoteStoreNetworkError {}

/// The location of the catalog.
struct CatalogOptions: ParsableArguments {
  private static let defaultDatabase = "default.store"

  @Option(
    help: """
      The file of the database; it is created, with sample data, if it does not exist. (default: \
      default.store, unless --remote is set)
      """
  )
  var database: String?

  @Option(help: "The address of an AnimalsDataServer, for example http://127.0.0.1:8081.")
  var remote: String?

  @Option(help: "A file with the token that the server requires.")
  var tokenFile: String?

  @Option(help: "How long the server may take to answer, in seconds. (default: 10)")
  var timeout: Int?

  func validate() throws {
    guard self.database == nil || self.remote == nil else {
      throw ValidationError("Set either --database or --remote.")
    }
    guard self.tokenFile == nil || self.remote != nil else {
      throw ValidationError("--token-file is only for --remote.")
    }
    if let timeout = self.timeout {
      try self.require(["--timeout": timeout], in: .seconds)
      guard self.remote != nil else { throw ValidationError("--timeout is only for --remote.") }
    }
    if let remote = self.remote, URL(animalsAPI: remote) == nil {
      throw ValidationError(
        "--remote must be an address like http://127.0.0.1:8081, not \(remote).")
    }
  }

  /// Opens the catalog, works with it and closes it.
  func withStore<Value>(
    _ work: (any PersistentSessionPersistentStore) async throws -> Value
  ) async throws -> Value {
    guard let url = self.remote.flatMap(URL.init(animalsAPI:)) else {
      let database = self.database ?? Self.defaultDatabase
      let store = try LocalStore<UUID>(url: URL(filePath: database))
      do {
        let value = try await work(store)
        try store.close()
        return value
      } catch {
        try? store.close()
        throw error
      }
    }
    let timeout = TimeInterval(self.timeout ?? 10)
    let urlSession = URLSession.withTimeouts(idle: timeout, total: timeout)
    return try await work(
      RemoteStore(
        session: NetworkSession(urlSession: urlSession),
        url: url,
        token: try self.tokenFile.map(TokenFile.read)
      )
    )
  }
}

extension Animal.Diet: ExpressibleByArgument {
  public init?(argument: String) {
    let match = Self.allCases.first { $0.rawValue.lowercased() == argument.lowercased() }
    guard let match else { return nil }
    self = match
  }

  public static var allValueStrings: [String] {
    Self.allCases.map { $0.rawValue.lowercased() }
  }
}
