public import Foundation
import Pictures
public import Services

#if canImport(FoundationNetworking)
  // Exported for `URLRequest`, which is a part of the protocol of sessions.
  @_exported public import FoundationNetworking
#endif

/// The part of a network session that a ``RemoteStore`` uses, so that tests can replace it.
///
/// Source: the guide, chapter AnimalsData (remote), section RemoteStore.
public protocol RemoteStoreNetworkSession: Sendable {
  /// - Throws: When there is no answer, or not the expected one.
  func json<T>(
    for request: URLRequest,
    from decoder: JSONDecoder
  ) async throws -> T where T: Decodable

  /// Beyond the guide: follows the events of a server. A session that cannot do that need not
  /// implement it; changes by others are then visible after a refresh.
  ///
  /// - Parameters:
  ///   - onFollowing: Called once the server has answered that its events follow.
  ///   - body: Receives each event, and the next one when it returns.
  /// - Throws: When the events are unavailable, or end. Without an error it returns only if it
  ///   cannot follow events.
  func events(
    for request: URLRequest,
    onFollowing: @Sendable () -> Void,
    _ body: @Sendable (ServerSentEvent) async throws -> Void
  ) async throws
}

extension RemoteStoreNetworkSession {
  public func events(
    for request: URLRequest,
    onFollowing: @Sendable () -> Void,
    _ body: @Sendable (ServerSentEvent) async throws -> Void
  ) async throws {}
}

/// Keeps the catalog on a server.
///
/// ```swift
/// let store = RemoteStore(session: NetworkSession(urlSession: URLSession.withTimeouts()))
/// let animals = try await store.fetchAnimalsQuery()
/// ```
///
/// Source: the guide, chapter AnimalsData (remote), section RemoteStore.
final public actor RemoteStore<NetworkSession>: PersistentSessionPersistentStore
where NetworkSession: RemoteStoreNetworkSession {
  private let session: NetworkSession
  private let url: URL?
  private let token: String?

  /// A store on the server of this machine.
  public init(session: NetworkSession) {
    self.session = session
    self.url = URL(string: "http://localhost:8080/animals/api")
    self.token = nil
  }

  /// - Parameters:
  ///   - session: Does the networking.
  ///   - url: The server's API.
  ///   - token: The client's token, if the server requires one.
  public init(session: NetworkSession, url: URL, token: String? = nil) {
    self.session = session
    self.url = url
    self.token = token
  }
}

extension RemoteStore {
  public nonisolated var hasForeignWriters: Bool { true }

  public func fetchCategoriesQuery() async throws -> [Category] {
    try await self.query(.categories, orThrow: .categoriesNotFound) { query in
      if case .categories(let categories) = query { categories } else { nil }
    }
  }

  public func fetchAnimalsQuery() async throws -> [Animal] {
    try await self.query(.animals, orThrow: .animalsNotFound) { query in
      if case .animals(let animals) = query { animals } else { nil }
    }
  }

  public func addAnimalMutation(
    name: String,
    diet: Animal.Diet,
    categoryId: String
  ) async throws -> Animal {
    try await self.mutate(
      .addAnimal(name: name, diet: diet, categoryId: categoryId),
      isNew: true,
      RemoteResponse.Mutation.addAnimal)
  }

  public func updateAnimalMutation(
    animalId: String,
    name: String,
    diet: Animal.Diet,
    categoryId: String
  ) async throws -> Animal {
    try await self.mutate(
      .updateAnimal(animalId: animalId, name: name, diet: diet, categoryId: categoryId),
      RemoteResponse.Mutation.updateAnimal)
  }

  public func deleteAnimalMutation(animalId: String) async throws -> Animal {
    try await self.mutate(
      .deleteAnimal(animalId: animalId), RemoteResponse.Mutation.deleteAnimal)
  }

  public func markAnimalMutation(animalId: String, mark: Animal.Mark) async throws -> Animal {
    switch mark {
    case .favorite(let isFavorite):
      try await self.mutate(
        .favoriteAnimal(animalId: animalId, isFavorite: isFavorite),
        RemoteResponse.Mutation.favoriteAnimal)
    case .position(let position):
      try await self.mutate(
        .moveAnimal(animalId: animalId, position: position?.description),
        RemoteResponse.Mutation.moveAnimal)
    case .picture(let picture):
      try await self.mutate(
        .pictureAnimal(animalId: animalId, picture: picture?.description),
        RemoteResponse.Mutation.pictureAnimal)
    }
  }

  public func reloadSampleDataMutation() async throws -> (
    animals: [Animal],
    categories: [Category]
  ) {
    try await self.mutate(.reloadSampleData, orThrow: .sampleDataNotFound) { mutation in
      if case .reloadSampleData(let animals, let categories) = mutation {
        (animals: animals, categories: categories)
      } else {
        nil
      }
    }
  }

  /// The changes arrive as server-sent events, including those by this store.
  public func followChanges(
    since version: String?,
    onFollowing: @Sendable () -> Void,
    _ body: @Sendable (CatalogEvent) async throws -> Void
  ) async throws {
    guard let url = self.url else { throw Self.Error(code: .urlError) }
    // Three heartbeat intervals of the server.
    var request = URLRequest(url: url.appending(path: "events"), timeoutInterval: 45)
    request.setValue("text/event-stream", forHTTPHeaderField: "Accept")
    request.setValue(version, forHTTPHeaderField: "Last-Event-ID")
    self.authorize(&request)
    try await self.session.events(for: request, onFollowing: onFollowing) { event in
      try await body(CatalogEvent(event))
    }
  }
}

extension RemoteStore {
  private func query<Value>(
    _ query: RemoteRequest.Query,
    orThrow code: RemoteResponse.Query.Error.Code,
    value: (RemoteResponse.Query) -> Value?
  ) async throws -> Value {
    let response = try await self.response(to: RemoteRequest(query: [query]))
    guard let value = response.query?.compactMap(value).first else {
      throw RemoteResponse.Query.Error(code: code)
    }
    return value
  }

  /// A mutation of one animal.
  ///
  /// - Parameters:
  ///   - isNew: Whether the server does not have the animal yet.
  ///   - answer: The answer to it, with the animal.
  private func mutate(
    _ mutation: RemoteRequest.Mutation,
    isNew: Bool = false,
    _ answer: (Animal) -> RemoteResponse.Mutation
  ) async throws -> Animal {
    do {
      return try await self.mutate(mutation, orThrow: .animalNotFound) { mutation in
        mutation.animal.flatMap { answer($0) == mutation ? $0 : nil }
      }
    } catch let error as NetworkSessionError where error.statusCode == 404 && isNew == false {
      throw MissingAnimal(cause: error)
    }
  }

  private func mutate<Value>(
    _ mutation: RemoteRequest.Mutation,
    orThrow code: RemoteResponse.Mutation.Error.Code,
    value: (RemoteResponse.Mutation) -> Value?
  ) async throws -> Value {
    let response: RemoteResponse
    do {
      response = try await self.response(to: RemoteRequest(mutation: [mutation]))
    } catch let error as any RemoteStoreNetworkError where error.mayHaveSucceeded {
      throw UncertainMutation(cause: error)
    }
    guard let value = response.mutation?.compactMap(value).first else {
      throw RemoteResponse.Mutation.Error(code: code)
    }
    return value
  }

  private func response(to request: RemoteRequest) async throws -> RemoteResponse {
    try await self.session.json(for: try self.networkRequest(request), from: JSONDecoder())
  }

  private func networkRequest(_ remoteRequest: RemoteRequest) throws -> URLRequest {
    guard let url = self.url else { throw Self.Error(code: .urlError) }
    var request = URLRequest(url: url)
    request.httpMethod = "POST"
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    self.authorize(&request)
    do {
      request.httpBody = try JSONEncoder().encode(remoteRequest)
    } catch {
      throw Self.Error(code: .requestError)
    }
    return request
  }

  private func authorize(_ request: inout URLRequest) {
    guard let token = self.token else { return }
    request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
  }
}
