import Foundation
import HTTPConnections
import Logging
import Services
import Testing

@testable import AnimalsData
@testable import AnimalsDataServer

/// The stores that keep one contract.
enum StoreKind: String, CaseIterable, CustomTestStringConvertible {
  case memory
  case disk
  case remote
  /// The state itself, as servers that share a log keep the catalog.
  case state

  var testDescription: String { self.rawValue }

  /// Works with a store that has the sample data.
  func withStore(
    _ work: (any PersistentSessionPersistentStore) async throws -> Void
  ) async throws {
    switch self {
    case .memory:
      try await work(try LocalStore<UUID>(isStoredInMemoryOnly: true))
    case .disk:
      try await withTemporaryFolder { folder in
        let store = try LocalStore<UUID>(url: folder.appending(path: "animals.store"))
        try await work(store)
        try store.close()
      }
    case .remote:
      try await withServer(of: try LocalStore<UUID>(isStoredInMemoryOnly: true)) { url in
        try await work(RemoteStore(session: TestSession(), url: url))
      }
    case .state:
      try await work(await SharedCatalog())
    }
  }
}

/// A session that networks for real.
struct TestSession: RemoteStoreNetworkSession {
  func json<T>(
    for request: URLRequest,
    from decoder: JSONDecoder
  ) async throws -> T where T: Decodable {
    try await NetworkSession(urlSession: URLSession.withTimeouts(idle: 60)).json(
      for: request,
      from: decoder
    )
  }

  func events(
    for request: URLRequest,
    onFollowing: @Sendable () -> Void,
    _ body: @Sendable (ServerSentEvent) async throws -> Void
  ) async throws {
    try await NetworkSession(urlSession: URLSession.withTimeouts()).events(
      for: request, onFollowing: onFollowing, body)
  }
}

/// Serves a store on a port of the system's choice, and ends with the work.
func withServer(
  of store: some PersistentSessionPersistentStore,
  changes: ChangeLog = ChangeLog(),
  token: String? = nil,
  endSignal: EndSignal = EndSignal(),
  _ work: (URL) async throws -> Void
) async throws {
  var logger = Logger(label: "test")
  logger.logLevel = .critical
  let server = APIServer(
    api: API(
      store: store,
      hosts: HostPolicy(allowed: []),
      token: token.map { BearerToken($0) },
      limits: ConnectionLimits(body: 1_048_576, endSignal: endSignal),
      changes: changes
    ),
    host: "127.0.0.1",
    port: 0,
    logger: logger
  )
  let (addresses, continuation) = AsyncStream<String>.makeStream()
  let running = Task {
    defer { continuation.finish() }
    try await server.run { continuation.yield($0) }
  }
  let address = try #require(await addresses.first { _ in true })
  let result: Result<Void, any Error>
  do {
    result = .success(try await work(URL(string: address)!.appending(path: "animals/api")))
  } catch {
    result = .failure(error)
  }
  running.cancel()
  _ = await running.result
  try result.get()
}

/// A folder of its own, which is gone after the work.
func withTemporaryFolder<Value>(_ work: (URL) async throws -> Value) async throws -> Value {
  let folder = FileManager.default.temporaryDirectory
    .appending(path: "AnimalsDataTests-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  return try await work(folder)
}

/// - Returns: What a person is told of the error that was thrown.
func failure(_ work: () async throws -> Void) async -> String? {
  do {
    try await work()
    return nil
  } catch {
    return error.localizedDescription
  }
}

/// Text that stores and protocols like to damage.
let awkwardNames = [
  "O'Brien; DROP TABLE animal; --", "“\"\\\"”", "🦓👩‍👩‍👧", "e\u{301}", "a\u{0}b", "line\nline\ttab\r",
  "{{name}} <b>",
  "ﷺ العربية", String(repeating: "ä", count: Animal.nameLimit), "null", " space around ",
  "\u{FEFF}bom",
]
