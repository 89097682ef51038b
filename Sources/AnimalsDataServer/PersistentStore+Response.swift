import AnimalsData
import Pictures

extension PersistentSessionPersistentStore {
  /// Executes mutations in order.
  ///
  /// - Throws: ``MutationError``; the mutations before it are done.
  func response(
    to mutations: [RemoteRequest.Mutation]
  ) async throws -> [RemoteResponse.Mutation] {
    var answers: [RemoteResponse.Mutation] = []
    for (index, mutation) in mutations.enumerated() {
      do {
        answers.append(try await self.response(to: mutation))
      } catch {
        throw MutationError(index: index, count: mutations.count, cause: error)
      }
    }
    return answers
  }

  /// - Throws: The store's error.
  func response(to query: RemoteRequest.Query) async throws -> RemoteResponse.Query {
    switch query {
    case .categories:
      .categories(categories: try await self.fetchCategoriesQuery())
    case .animals:
      .animals(animals: try await self.fetchAnimalsQuery())
    }
  }

  private func response(
    to mutation: RemoteRequest.Mutation
  ) async throws -> RemoteResponse.Mutation {
    switch mutation {
    case .addAnimal(let name, let diet, let categoryId):
      try await self.requireCategory(categoryId)
      return .addAnimal(
        animal: try await self.addAnimalMutation(name: name, diet: diet, categoryId: categoryId)
      )
    case .updateAnimal(let animalId, let name, let diet, let categoryId):
      try await self.requireCategory(categoryId)
      return .updateAnimal(
        animal: try await self.updateAnimalMutation(
          animalId: animalId,
          name: name,
          diet: diet,
          categoryId: categoryId
        )
      )
    case .deleteAnimal(let animalId):
      return .deleteAnimal(animal: try await self.deleteAnimalMutation(animalId: animalId))
    case .favoriteAnimal(let animalId, let isFavorite):
      return .favoriteAnimal(
        animal: try await self.markAnimalMutation(animalId: animalId, mark: .favorite(isFavorite))
      )
    case .moveAnimal(let animalId, let position):
      let mark = Animal.Mark.position(position.flatMap { Animal.Position($0) })
      return .moveAnimal(animal: try await self.markAnimalMutation(animalId: animalId, mark: mark))
    case .pictureAnimal(let animalId, let picture):
      let mark = Animal.Mark.picture(picture.flatMap { Picture($0) })
      return .pictureAnimal(
        animal: try await self.markAnimalMutation(animalId: animalId, mark: mark)
      )
    case .reloadSampleData:
      let (animals, categories) = try await self.reloadSampleDataMutation()
      return .reloadSampleData(animals: animals, categories: categories)
    }
  }
}
