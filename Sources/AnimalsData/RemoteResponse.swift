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

extension RemoteResponse.Query {
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    if container.contains(.animals) {
      let list = try container.nestedContainer(keyedBy: AnimalsCodingKeys.self, forKey: .animals)
      self = .animals(animals: try list.decode([ReceivedAnimal].self, forKey: .animals).known)
    } else {
      let list = try container.nestedContainer(
        keyedBy: CategoriesCodingKeys.self, forKey: .categories)
      self = .categories(categories: try list.decode([Category].self, forKey: .categories))
    }
  }
}

extension RemoteResponse.Mutation {
  private struct OneAnimal: Decodable {
    let animal: Animal
  }

  private struct Everything: Decodable {
    let animals: [ReceivedAnimal]
    let categories: [Category]
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    guard container.allKeys.count == 1, let key = container.allKeys.first else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: container.codingPath, debugDescription: "expected one known mutation"))
    }
    func animal() throws -> Animal {
      try container.decode(OneAnimal.self, forKey: key).animal
    }
    switch key {
    case .addAnimal: self = .addAnimal(animal: try animal())
    case .updateAnimal: self = .updateAnimal(animal: try animal())
    case .deleteAnimal: self = .deleteAnimal(animal: try animal())
    case .favoriteAnimal: self = .favoriteAnimal(animal: try animal())
    case .moveAnimal: self = .moveAnimal(animal: try animal())
    case .pictureAnimal: self = .pictureAnimal(animal: try animal())
    case .reloadSampleData:
      let everything = try container.decode(Everything.self, forKey: key)
      self = .reloadSampleData(
        animals: everything.animals.known, categories: everything.categories)
    }
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
