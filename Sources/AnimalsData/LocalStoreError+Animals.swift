package import DatabaseFiles

// What can be wrong with a request beyond what can be wrong with a database.
extension LocalStoreError.Code {
  package static let animalNotFound = Self("animalNotFound", "There is no such animal.")
  /// Beyond the guide.
  package static let categoryNotFound = Self("categoryNotFound", "There is no such category.")
}

extension LocalStoreError {
  static func animalNotFound(_ animalId: Animal.ID) -> Self {
    Self(code: .animalNotFound, message: "There is no animal “\(animalId)”.")
  }

  static func categoryNotFound(_ categoryId: Category.ID) -> Self {
    Self(code: .categoryNotFound, message: "There is no category “\(categoryId)”.")
  }
}
