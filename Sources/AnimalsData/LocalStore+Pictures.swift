import GRDB

extension LocalStore {
  /// Returns those of these pictures that an animal has.
  ///
  /// - Parameter hashes: Up to 500.
  /// - Throws: When the file cannot be read.
  /// - Complexity: O(m log n), m hashes, n animals.
  public func picturesInUse(among hashes: Set<String>) async throws -> Set<String> {
    try await self.file.read { database in
      let statement = try database.cachedStatement(
        // Text is written as bytes; see ``DatabaseColumn``.
        sql: "SELECT EXISTS (SELECT 1 FROM animal WHERE picture = CAST(? AS TEXT))"
      )
      return try hashes.filter { hash in
        try Bool.fetchOne(statement, arguments: [hash]) == true
      }
    }
  }
}
