// As a test that is written against the guide imports, and without access to what is internal.
import AnimalsData
import Foundation
import ImmutableData
import Services
import Testing

/// The listings of the guide's server and clients, as far as they do not need Vapor.
struct GuideListingsTests {
  @Test func `the guide's server answers the guide's client`() async throws {
    let localStore = try LocalStore<GuideUUID>(isStoredInMemoryOnly: true)
    let store = RemoteStore(session: ServerSession(localStore: localStore))

    let eagle = try await store.addAnimalMutation(
      name: "Eagle", diet: .carnivorous, categoryId: "Bird")
    let wolf = try await store.updateAnimalMutation(
      animalId: "Dog", name: "Wolf", diet: .omnivorous, categoryId: "Fish")
    let cat = try await store.deleteAnimalMutation(animalId: "Cat")
    let animals = try await store.fetchAnimalsQuery()
    let categories = try await store.fetchCategoriesQuery()
    let samples = try await store.reloadSampleDataMutation()

    #expect(
      eagle
        == Animal(animalId: "1234", name: "Eagle", diet: .carnivorous, categoryId: "Bird"))
    #expect(
      wolf == Animal(animalId: "Dog", name: "Wolf", diet: .omnivorous, categoryId: "Fish"))
    #expect(cat == .cat)
    #expect(Set(animals) == [wolf, .kangaroo, .gibbon, .sparrow, .newt, eagle])
    #expect(
      Set(categories) == [.amphibian, .bird, .fish, .invertebrate, .mammal, .reptile])
    #expect(Set(samples.animals) == [.dog, .cat, .kangaroo, .gibbon, .sparrow, .newt])
    #expect(Set(samples.categories) == Set(categories))
  }

  @Test func `the server's errors are the client's`() async throws {
    let localStore = try LocalStore<GuideUUID>(isStoredInMemoryOnly: true)
    let store = RemoteStore(session: ServerSession(localStore: localStore))

    let error = await #expect(throws: ModelActor<GuideUUID>.Error.self) {
      try await store.updateAnimalMutation(
        animalId: "Unicorn", name: "name", diet: .omnivorous, categoryId: "Bird")
    }

    #expect(error?.code == .animalNotFound)
  }

  @Test func `the sample data is the guide's`() throws {
    func animal(
      _ animalId: String, _ name: String, _ diet: Animal.Diet, _ categoryId: String
    ) -> Animal {
      Animal(animalId: animalId, name: name, diet: diet, categoryId: categoryId)
    }
    let categories: [AnimalsData.Category] = [
      .amphibian, .bird, .fish, .invertebrate, .mammal, .reptile,
    ]
    let names = ["Amphibian", "Bird", "Fish", "Invertebrate", "Mammal", "Reptile"]
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys

    let json = String(decoding: try encoder.encode(Animal.gibbon), as: UTF8.self)

    #expect(
      [.dog, .cat, .kangaroo, .gibbon, .sparrow, .newt] == [
        animal("Dog", "Dog", .carnivorous, "Mammal"),
        animal("Cat", "Cat", .carnivorous, "Mammal"),
        animal("Kangaroo", "Red kangaroo", .herbivorous, "Mammal"),
        animal("Bibbon", "Southern gibbon", .herbivorous, "Mammal"),
        animal("Sparrow", "House sparrow", .omnivorous, "Bird"),
        animal("Newt", "Newt", .carnivorous, "Amphibian"),
      ])
    #expect(categories.map(\.id) == names)
    #expect(categories.map(\.name) == names)
    #expect(Animal.Diet.allCases.map(\.rawValue) == ["Herbivore", "Carnivore", "Omnivore"])
    #expect(
      json
        == #"{"animalId":"Bibbon","categoryId":"Mammal","diet":"Herbivore","name":"Southern gibbon"}"#
    )
  }

  @Test func `the clients' stores have the guide's types`() {
    let makeLocal: () throws -> LocalStore<UUID> = makeLocalStore
    let remote: RemoteStore<NetworkSession<URLSession>> = makeRemoteStore()

    withExtendedLifetime((makeLocal, remote)) {}
  }
}

extension NetworkSession: RemoteStoreNetworkSession {}

private func makeRemoteStore() -> RemoteStore<NetworkSession<URLSession>> {
  let session = NetworkSession(urlSession: URLSession.shared)
  return RemoteStore(session: session)
}

private func makeLocalStore() throws -> LocalStore<UUID> {
  if let url = Process().currentDirectoryURL?.appending(
    component: "default.store",
    directoryHint: .notDirectory
  ) {
    return try LocalStore<UUID>(url: url)
  }
  return try LocalStore<UUID>()
}

private struct GuideUUID: IncrementalStoreUUID {
  let uuidString = "1234"
}

/// Answers requests as the guide's server does, and encodes and decodes them on the way.
private struct ServerSession<UUID: IncrementalStoreUUID>: RemoteStoreNetworkSession {
  let localStore: LocalStore<UUID>

  func json<T>(
    for request: URLRequest,
    from decoder: JSONDecoder
  ) async throws -> T where T: Decodable {
    let body = try #require(request.httpBody)
    let remoteRequest = try JSONDecoder().decode(RemoteRequest.self, from: body)
    let remoteResponse = try await self.localStore.response(request: remoteRequest)
    return try decoder.decode(T.self, from: JSONEncoder().encode(remoteResponse))
  }
}

extension LocalStore {
  fileprivate func response(request: RemoteRequest) async throws -> RemoteResponse {
    RemoteResponse(
      query: try await self.response(query: request.query),
      mutation: try await self.response(mutation: request.mutation)
    )
  }

  private func response(
    query: [RemoteRequest.Query]?
  ) async throws -> [RemoteResponse.Query]? {
    guard let query else { return nil }
    var responses = [RemoteResponse.Query]()
    for query in query {
      switch query {
      case .animals:
        let animals = try await self.fetchAnimalsQuery()
        responses.append(.animals(animals: animals))
      case .categories:
        let categories = try await self.fetchCategoriesQuery()
        responses.append(.categories(categories: categories))
      }
    }
    return responses
  }

  private func response(
    mutation: [RemoteRequest.Mutation]?
  ) async throws -> [RemoteResponse.Mutation]? {
    guard let mutation else { return nil }
    var responses = [RemoteResponse.Mutation]()
    for mutation in mutation {
      switch mutation {
      case .addAnimal(let name, let diet, let categoryId):
        let animal = try await self.addAnimalMutation(
          name: name, diet: diet, categoryId: categoryId)
        responses.append(.addAnimal(animal: animal))
      case .updateAnimal(let animalId, let name, let diet, let categoryId):
        let animal = try await self.updateAnimalMutation(
          animalId: animalId, name: name, diet: diet, categoryId: categoryId)
        responses.append(.updateAnimal(animal: animal))
      case .deleteAnimal(let animalId):
        let animal = try await self.deleteAnimalMutation(animalId: animalId)
        responses.append(.deleteAnimal(animal: animal))
      case .reloadSampleData:
        let (animals, categories) = try await self.reloadSampleDataMutation()
        responses.append(.reloadSampleData(animals: animals, categories: categories))
      default:
        Issue.record("The guide's client does not send \(mutation).")
      }
    }
    return responses
  }
}
