/// A client's request to the server: first queries, then mutations.
///
/// ```json
/// {"query": [{"animals": {}}], "mutation": [{"deleteAnimal": {"animalId": "Dog"}}]}
/// ```
///
/// Source: the guide, chapter AnimalsData (remote), section RemoteStore.
package struct RemoteRequest: Hashable, Codable, Sendable {
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

extension RemoteRequest {
  package enum Query: Hashable, Codable, Sendable {
    case categories
    case animals
  }

  package enum Mutation: Hashable, Codable, Sendable {
    case addAnimal(
      name: String,
      diet: Animal.Diet,
      categoryId: String
    )
    case updateAnimal(
      animalId: String,
      name: String,
      diet: Animal.Diet,
      categoryId: String
    )
    case deleteAnimal(animalId: String)
    case reloadSampleData
    // Beyond the guide:
    case favoriteAnimal(animalId: String, isFavorite: Bool)
    /// Without a position, the animal returns to its place by name.
    case moveAnimal(animalId: String, position: String?)
    /// Without a picture, the present one is removed. The server already has the bytes of the
    /// picture.
    case pictureAnimal(animalId: String, picture: String?)
  }
}
