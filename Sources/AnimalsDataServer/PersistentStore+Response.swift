import AnimalsData
import Pictures

extension PersistentSessionPersistentStore {
  /// Does what a request asks for: its queries, then its mutations, each in their order.
  ///
  /// - Throws: What the store throws for a query; ``MutationError``: those before it are done.
  func response(to request: RemoteRequest) async throws -> RemoteResponse {
    var queries: [RemoteResponse.Query] = []
    for query in request.query ?? [] {
      queries.append(try await self.response(to: query))
    }
    let requested = request.mutation ?? []
    var mutations: [RemoteResponse.Mutation] = []
    for (index, mutation) in requested.enumerated() {
      do {
        mutations.append(try await self.response(to: mutation))
      } catch {
        throw MutationError(index: index, count: requested.count, cause: error)
      }
    }
    return RemoteResponse(
      query: request.query == nil ? nil : queries,
      mutation: request.mutation == nil ? nil : mutations
    )
  }

  private func response(to query: RemoteRequest.Query) async throws -> RemoteResponse.Query {
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
      return .addAnimal(
        animal: try await self.addAnimalMutation(name: name, diet: diet, categoryId: categoryId)
      )
    case .updateAnimal(let animalId, let name, let diet, let categoryId):
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
