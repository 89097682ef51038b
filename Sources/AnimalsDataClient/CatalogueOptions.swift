public import AnimalsData
public import ArgumentParser
import Foundation
public import Services
import Terminal

extension NetworkSession: RemoteStoreNetworkSession {}
extension NetworkSessionError: RemoteStoreNetworkError {}

/// Where the catalogue is.
struct CatalogueOptions: ParsableArguments {
  @Option(help: "The file of the database; it is made, with sample data, if it is not there.")
  var database: String?

  @Option(help: "The address of an AnimalsDataServer, for example http://127.0.0.1:8080.")
  var remote: String?

  @Option(help: "A file with the token that the server wants.")
  var tokenFile: String?

  @Option(help: "How long the server may take to answer, in seconds.")
  var timeout = 10

  func validate() throws {
    guard (self.database == nil) != (self.remote == nil) else {
      throw ValidationError("Give either --database or --remote.")
    }
    guard self.tokenFile == nil || self.remote != nil else {
      throw ValidationError("--token-file is for --remote.")
    }
    guard self.timeout >= 1 else {
      throw ValidationError("--timeout must be 1 or more, not \(self.timeout).")
    }
    if let remote = self.remote, self.url(remote) == nil {
      throw ValidationError(
        "--remote must be an address like http://127.0.0.1:8080, not \(remote).")
    }
  }

  /// Opens the catalogue, works with it and closes it.
  func withStore<Value>(
    _ work: (any PersistentSessionPersistentStore) async throws -> Value
  ) async throws -> Value {
    if let database = self.database {
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
    guard let url = self.remote.flatMap(self.url) else {
      throw ValidationError("Give either --database or --remote.")
    }
    let urlSession = URLSession.withTimeouts(idle: TimeInterval(self.timeout))
    defer { urlSession.invalidateAndCancel() }
    return try await work(
      RemoteStore(
        session: NetworkSession(urlSession: urlSession),
        url: url,
        token: try self.tokenFile.map(Self.token)
      )
    )
  }

  /// The API's address: a server's alone leads there.
  private func url(_ remote: String) -> URL? {
    guard let url = URL(string: remote), ["http", "https"].contains(url.scheme?.lowercased()),
      url.host()?.isEmpty == false
    else { return nil }
    return ["", "/"].contains(url.path()) ? url.appending(path: "animals/api") : url
  }

  private static func token(file: String) throws -> String {
    guard let data = FileManager.default.contents(atPath: file) else {
      throw Complaint("The token file \(file) cannot be read. Make it, or make it readable.")
    }
    let token = String(decoding: data, as: UTF8.self).trimmingCharacters(
      in: .whitespacesAndNewlines)
    guard token.isEmpty == false, token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw Complaint("The token file \(file) must have one or more visible ASCII characters.")
    }
    return token
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
