import Foundation
import Services
import Synchronization
import Testing

@testable import AnimalsData

struct RemoteStoreTests {
  @Test func `requests are those of the guide`() async throws {
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

  @Test func `a token is sent to an address of one's own`() async throws {
    let session = SessionDouble(answers: [#"{"query": [{"animals": {"animals": []}}]}"#])
    let url = try #require(URL(string: "https://example.com/api"))

    _ = try await RemoteStore(session: session, url: url, token: "secret").fetchAnimalsQuery()

    let request = try #require(session.requests.first)
    #expect(request.url == url)
    #expect(request.value(forHTTPHeaderField: "Authorization") == "Bearer secret")
  }

  @Test func `an answer is found among others`() async throws {
    let session = SessionDouble(answers: [
      #"{"query": [{"animals": {"animals": []}}, {"categories": {"categories": "#
        + #"[{"categoryId": "Bird", "name": "Bird"}]}}]}"#
    ])

    let categories = try await RemoteStore(session: session).fetchCategoriesQuery()

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
private final class SessionDouble: RemoteStoreNetworkSession {
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
