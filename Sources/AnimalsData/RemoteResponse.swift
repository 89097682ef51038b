import Foundation

/// The server's answer: one element for each query and mutation of the request, in order.
///
/// Source: the guide, chapter AnimalsData (remote), section RemoteStore.
package struct RemoteResponse: Hashable, Codable, Sendable {
  package let query: [Query]?
  package let mutation: [Mutation]?

  package init(
    query: [Query]? = nil,
    mutation: [Mutation]? = nil
  ) {
    self.query = query
    self.mutation = mutation
  }
}

extension RemoteResponse {
  package enum Query: Hashable, Codable, Sendable {
    case categories(categories: [Category])
    case animals(animals: [Animal])
  }

  package enum Mutation: Hashable, Codable, Sendable {
    case addAnimal(animal: Animal)
    case updateAnimal(animal: Animal)
    case deleteAnimal(animal: Animal)
    case reloadSampleData(
      animals: [Animal],
      categories: [Category]
    )
    // Beyond the guide:
    case favoriteAnimal(animal: Animal)
    case moveAnimal(animal: Animal)
    case pictureAnimal(animal: Animal)
  }
}

extension KeyedDecodingContainer {
  /// Decodes the animals whose diets are known. It applies in this file, so also to what the
  /// compiler writes for the types above.
  fileprivate func decode(_ type: [Animal].Type, forKey key: Key) throws -> [Animal] {
    try self.decode([ReceivedAnimal].self, forKey: key).known
  }
}

extension RemoteResponse.Mutation {
  /// The animal, in the answer to a mutation of one.
  var animal: Animal? {
    switch self {
    case .addAnimal(let animal), .updateAnimal(let animal), .deleteAnimal(let animal),
      .favoriteAnimal(let animal), .moveAnimal(let animal), .pictureAnimal(let animal):
      animal
    case .reloadSampleData: nil
    }
  }
}

extension RemoteResponse.Query {
  /// What the answer lacks.
  package struct Error: LocalizedError {
    package enum Code: Hashable, Sendable {
      case categoriesNotFound
      case animalsNotFound
    }

    package let code: Self.Code

    package var errorDescription: String? {
      switch self.code {
      case .categoriesNotFound: "The server answered without the categories. Try again."
      case .animalsNotFound: "The server answered without the animals. Try again."
      }
    }
  }
}

extension RemoteResponse.Mutation {
  /// What the answer lacks. Whether the mutation was done is unknown.
  package struct Error: LocalizedError {
    package enum Code: Hashable, Sendable {
      case animalNotFound
      case sampleDataNotFound
    }

    package let code: Self.Code

    package var errorDescription: String? {
      switch self.code {
      case .animalNotFound:
        "The server answered without the animal. Refresh to see whether it was saved."
      case .sampleDataNotFound:
        "The server answered without the sample data. Refresh to see whether it was reloaded."
      }
    }
  }
}
