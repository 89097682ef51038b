import Foundation
import Services
import Synchronization
import TestSupport
import Testing

@testable import AnimalsData
@testable import AnimalsDataServer

struct RemoteStoreTests {
  @Test func `requests match the guide`() async throws {
    let session = SessionDouble(answers: [
      #"{"query": [{"categories": {"categories": []}}]}"#,
      #"{"query": [{"animals": {"animals": []}}]}"#,
      #"{"mutation": [{"addAnimal": {"animal": \#(eagle)}}]}"#,
      #"{"mutation": [{"updateAnimal": {"animal": \#(eagle)}}]}"#,
      #"{"mutation": [{"deleteAnimal": {"animal": \#(eagle)}}]}"#,
      #"{"mutation": [{"reloadSampleData": {"animals": [], "categories": []}}]}"#,
    ])
    let store = RemoteStore(session: session)

    _ = try await store.fetchCategoriesQuery()
    _ = try await store.fetchAnimalsQuery()
    _ = try await store.addAnimalMutation(name: "Eagle", diet: .carnivorous, categoryId: "Bird")
    _ = try await store.updateAnimalMutation(
      animalId: "1", name: "Eagle", diet: .carnivorous, categoryId: "Bird")
    _ = try await store.deleteAnimalMutation(animalId: "1")
    _ = try await store.reloadSampleDataMutation()

    #expect(
      session.bodies == [
        #"{"query":[{"categories":{}}]}"#,
        #"{"query":[{"animals":{}}]}"#,
        #"{"mutation":[{"addAnimal":{"categoryId":"Bird","diet":"Carnivore","name":"Eagle"}}]}"#,
        #"{"mutation":[{"updateAnimal":{"animalId":"1","categoryId":"Bird","diet":"Carnivore","#
          + #""name":"Eagle"}}]}"#,
        #"{"mutation":[{"deleteAnimal":{"animalId":"1"}}]}"#,
        #"{"mutation":[{"reloadSampleData":{}}]}"#,
      ]
    )
  }

  @Test func `requests go to the guide's address`() async throws {
    let session = SessionDouble(answers: [#"{"query": [{"animals": {"animals": []}}]}"#])

    _ = try await RemoteStore(session: session).fetchAnimalsQuery()

    let request = try #require(session.requests.first)
    #expect(request.url?.absoluteString == "http://localhost:8080/animals/api")
    #expect(request.httpMethod == "POST")
    #expect(request.value(forHTTPHeaderField: "Content-Type") == "application/json")
    #expect(request.value(forHTTPHeaderField: "Authorization") == nil)
  }

  @Test func `a token is sent to a configured address`() async throws {
    let session = SessionDouble(answers: [#"{"query": [{"animals": {"animals": []}}]}"#])
    let url = try #require(URL(string: "https://example.com/api"))

    _ = try await RemoteStore(session: session, url: url, token: "secret").fetchAnimalsQuery()

    let request = try #require(session.requests.first)
    #expect(request.url == url)
    #expect(request.value(forHTTPHeaderField: "Authorization") == "Bearer secret")
  }

  @Test func `an answer is found among several`() async throws {
    let session = SessionDouble(answers: [
      #"{"query": [{"animals": {"animals": []}}, {"categories": {"categories": "#
        + #"[{"categoryId": "Bird", "name": "Bird"}]}}]}"#
    ])

    let categories = try await RemoteStore(session: session).fetchCategoriesQuery()

    #expect(categories == [.bird])
  }

  @Test func `an animal with a diet that only a newer server knows does not hide the others`()
    async throws
  {
    let session = SessionDouble(answers: [
      #"{"query": [{"animals": {"animals": [{"animalId": "Cat", "name": "Cat", "#
        + #""diet": "Fungivore", "categoryId": "Mammal"}, {"animalId": "Newt", "name": "Newt", "#
        + #""diet": "Carnivore", "categoryId": "Amphibian"}]}}]}"#
    ])

    let animals = try await RemoteStore(session: session).fetchAnimalsQuery()

    #expect(animals == [.newt])
  }

  @Test func `sample data with a diet that only a newer server knows is reloaded without it`()
    async throws
  {
    let session = SessionDouble(answers: [
      #"{"mutation": [{"reloadSampleData": {"animals": [{"animalId": "Cat", "name": "Cat", "#
        + #""diet": "Fungivore", "categoryId": "Mammal"}, {"animalId": "Newt", "name": "Newt", "#
        + #""diet": "Carnivore", "categoryId": "Amphibian"}], "categories": "#
        + #"[{"categoryId": "Bird", "name": "Bird"}]}}]}"#
    ])

    let (animals, categories) = try await RemoteStore(session: session).reloadSampleDataMutation()

    #expect(animals == [.newt])
    #expect(categories == [.bird])
  }

  @Test(arguments: ["{}", #"{"query": []}"#, #"{"query": [{"categories": {"categories": []}}]}"#])
  func `an answer without animals is an error`(answer: String) async throws {
    let store = RemoteStore(session: SessionDouble(answers: [answer]))

    await #expect { try await store.fetchAnimalsQuery() } throws: { error in
      (error as? RemoteResponse.Query.Error)?.code == .animalsNotFound
    }
  }

  @Test(arguments: ["{}", #"{"query": []}"#, #"{"query": [{"animals": {"animals": []}}]}"#])
  func `an answer without categories is an error`(answer: String) async throws {
    let store = RemoteStore(session: SessionDouble(answers: [answer]))

    await #expect { try await store.fetchCategoriesQuery() } throws: { error in
      (error as? RemoteResponse.Query.Error)?.code == .categoriesNotFound
    }
  }

  @Test(arguments: ["{}", #"{"mutation": [{"reloadSampleData":{"animals":[],"categories":[]}}]}"#])
  func `an answer without the animal is an error`(answer: String) async throws {
    let store = RemoteStore(session: SessionDouble(answers: [answer, answer, answer]))
    let isNotFound = { @Sendable (error: any Error) in
      (error as? RemoteResponse.Mutation.Error)?.code == .animalNotFound
    }

    await #expect(
      performing: {
        try await store.addAnimalMutation(name: "A", diet: .omnivorous, categoryId: "Bird")
      },
      throws: isNotFound
    )
    await #expect(
      performing: {
        try await store.updateAnimalMutation(
          animalId: "1", name: "A", diet: .omnivorous, categoryId: "Bird")
      },
      throws: isNotFound
    )
    await #expect(
      performing: { try await store.deleteAnimalMutation(animalId: "1") },
      throws: isNotFound
    )
  }

  @Test func `an answer without sample data is an error`() async throws {
    let store = RemoteStore(session: SessionDouble(answers: ["{}"]))

    await #expect { _ = try await store.reloadSampleDataMutation() } throws: { error in
      (error as? RemoteResponse.Mutation.Error)?.code == .sampleDataNotFound
    }
  }

  @Test func `a token lets clients in`() async throws {
    let local = try LocalStore<UUID>(isStoredInMemoryOnly: true)
    try await withServer(of: local, token: "secret") { url in
      let stranger = RemoteStore(session: TestSession(), url: url, token: "secreT")
      let friend = RemoteStore(session: TestSession(), url: url, token: "secret")

      let message = await failure { _ = try await stranger.fetchAnimalsQuery() }

      let animals = try await friend.fetchAnimalsQuery()
      #expect(message?.prefix(25) == "The server answered 401: ")
      #expect(animals == Animal.samples)
    }
  }

  @Test func `every error is a sentence`() {
    let errors: [any Error] = [
      RemoteResponse.Query.Error(code: .animalsNotFound),
      RemoteResponse.Query.Error(code: .categoriesNotFound),
      RemoteResponse.Mutation.Error(code: .animalNotFound),
      RemoteResponse.Mutation.Error(code: .sampleDataNotFound),
      RemoteStore<SessionDouble>.Error(code: .urlError),
      RemoteStore<SessionDouble>.Error(code: .requestError),
    ]

    #expect(errors.filter { $0.localizedDescription.hasSuffix(".") == false }.isEmpty)
    #expect(Set(errors.map(\.localizedDescription)).count == errors.count)
  }
}

private let eagle =
  #"{"animalId": "1", "diet": "Carnivore", "categoryId": "Bird", "name": "Eagle"}"#

/// Gives answers in their order; throws when there is none.
final class SessionDouble: RemoteStoreNetworkSession {
  private let answers: Mutex<[String]>
  private let received = Mutex<[URLRequest]>([])

  init(answers: [String] = []) {
    self.answers = Mutex(answers)
  }

  var requests: [URLRequest] {
    self.received.withLock { $0 }
  }

  /// With sorted keys.
  var bodies: [String] {
    self.requests.map { request in
      let json = try? JSONSerialization.jsonObject(with: request.httpBody ?? Data())
      let sorted = json.flatMap {
        try? JSONSerialization.data(withJSONObject: $0, options: .sortedKeys)
      }
      return String(decoding: sorted ?? Data(), as: UTF8.self)
    }
  }

  func json<T>(
    for request: URLRequest,
    from decoder: JSONDecoder
  ) async throws -> T where T: Decodable {
    self.received.withLock { $0.append(request) }
    let answer = self.answers.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    guard let answer else { throw URLError(.notConnectedToInternet) }
    return try decoder.decode(T.self, from: Data(answer.utf8))
  }
}

@Suite(.timeLimit(.minutes(20))) struct RemoteMutationTests {
  private static let mutations:
    [@Sendable (any PersistentSessionPersistentStore) async throws -> Animal] = [
      { try await $0.deleteAnimalMutation(animalId: "Nobody") },
      {
        try await $0.updateAnimalMutation(
          animalId: "Nobody", name: "Cat", diet: .carnivorous, categoryId: "Mammal")
      },
      { try await $0.markAnimalMutation(animalId: "Nobody", mark: .favorite(true)) },
      { try await $0.markAnimalMutation(animalId: "Nobody", mark: .position(nil)) },
    ]

  @Test(arguments: mutations.indices)
  func `a visitor reads that an animal is gone, and an operator what the server answered`(
    index: Int
  ) async throws {
    let local = try LocalStore<UUID>(isStoredInMemoryOnly: true)
    try await withServer(of: local, token: nil) { url in
      let remote = RemoteStore(session: TestSession(), url: url)

      let error = await #expect(throws: (any Error).self) {
        try await Self.mutations[index](remote)
      }

      #expect(error?.sentenceForVisitors == "There is no such animal.")
      #expect(
        error?.localizedDescription == "The server answered 404: There is no animal “Nobody”.")
    }
  }

  @Test func `a wrong address is not a missing animal`() async throws {
    let local = try LocalStore<UUID>(isStoredInMemoryOnly: true)
    try await withServer(of: local, token: nil) { url in
      let remote = RemoteStore(session: TestSession(), url: url.appending(path: "elsewhere"))

      let queried = await #expect(throws: (any Error).self) {
        _ = try await remote.fetchAnimalsQuery()
      }
      let added = await #expect(throws: (any Error).self) {
        _ = try await remote.addAnimalMutation(
          name: "Cat", diet: .carnivorous, categoryId: "Mammal")
      }

      let sentence = "The catalog answered with an error (404)."
      #expect([queried, added].map { $0?.sentenceForVisitors } == [sentence, sentence])
    }
  }
}

// Changes that come from the server.
@Suite(.timeLimit(.minutes(20))) struct RemoteChangesTests {
  /// Works with a store on a server, and with another one on the same.
  private func withStores(
    token: String? = nil,
    _ work: (RemoteStore<TestSession>, LocalStore<UUID>) async throws -> Void
  ) async throws {
    let changes = ChangeLog()
    let local = try LocalStore<UUID>(isStoredInMemoryOnly: true) { changes.append($0) }
    try await withServer(of: local, changes: changes, token: token) { url in
      try await work(RemoteStore(session: TestSession(), url: url, token: token), local)
    }
  }

  @Test(arguments: [nil, "secret"])
  func `every mutation is reported, whoever made it`(token: String?) async throws {
    try await self.withStores(token: token) { remote, local in
      let events = Transcript<CatalogEvent>()
      let following = Task {
        try await remote.followChanges(since: nil) {
        } _: {
          events.append($0)
        }
      }
      await events.wait { $0.count == 1 }

      let eagle = try await remote.addAnimalMutation(
        name: "Eagle", diet: .carnivorous, categoryId: "Bird")
      let wolf = try await local.updateAnimalMutation(
        animalId: "Dog", name: "Wolf", diet: .carnivorous, categoryId: "Mammal")
      _ = try await local.deleteAnimalMutation(animalId: "Cat")
      _ = try await remote.reloadSampleDataMutation()
      _ = try? await remote.deleteAnimalMutation(animalId: "Unicorn")
      _ = try await remote.deleteAnimalMutation(animalId: "Newt")
      await events.wait { $0.count == 6 }

      #expect(
        events.entries.map(\.change) == [
          nil, .saved(eagle), .saved(wolf), .deleted("Cat"),
          .replaced(animals: Animal.samples, categories: AnimalsData.Category.samples),
          .deleted("Newt"),
        ])
      following.cancel()
      _ = await following.result
    }
  }

  @Test func `a reader that returns with a version gets the changes since`() async throws {
    try await self.withStores { remote, local in
      let versions = Transcript<String?>()
      let first = Task {
        try await remote.followChanges(since: nil) {
        } _: {
          versions.append($0.version)
        }
      }
      await versions.wait { $0.count == 1 }
      first.cancel()
      _ = await first.result
      _ = try await local.deleteAnimalMutation(animalId: "Cat")

      let events = Transcript<CatalogEvent>()
      let second = Task {
        try await remote.followChanges(since: versions.entries[0]) {
        } _: {
          events.append($0)
        }
      }
      await events.wait { $0.count == 1 }

      #expect(events.entries.map(\.change) == [.deleted("Cat")])
      second.cancel()
      _ = await second.result
    }
  }

  @Test func `without the token, following changes fails`() async throws {
    let local = try LocalStore<UUID>(isStoredInMemoryOnly: true)
    try await withServer(of: local, token: "secret") { url in
      let remote = RemoteStore(session: TestSession(), url: url, token: "wrong")

      await #expect(throws: NetworkSessionError.self) {
        try await remote.followChanges(since: nil) {
        } _: { _ in
          Issue.record("it was told")
        }
      }
    }
  }

  @Test func `a session of the guide does not follow changes`() async throws {
    let remote = RemoteStore(session: SessionDouble(answers: []))

    try await remote.followChanges(since: nil) {
    } _: { _ in
      Issue.record("nothing has happened")
    }
  }
}
