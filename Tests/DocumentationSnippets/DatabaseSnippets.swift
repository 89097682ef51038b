import DatabaseFiles
import Foundation
import ImmutableData
import Testing

// docs/PRODUCTS.md, *A database*.

struct Recipe: Hashable, Identifiable, Sendable {
  let id: String
  let title: String
}

struct RecipesFile: Sendable {
  private let file: DatabaseFile

  init(_ url: URL) throws {
    let folder = url.deletingLastPathComponent()
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    self.file = try DatabaseFile(url: url, schema: .recipes)
  }

  func recipes() async throws -> [Recipe] {
    try await self.file.read { try DatabaseTable.recipes.values($0) }
  }

  func save(_ recipe: Recipe) async throws {
    try await self.file.write { try DatabaseTable.recipes.save($0, [recipe]) }
  }

  func close() throws {
    try self.file.close()
  }
}

extension DatabaseSchema {
  static let recipes = DatabaseSchema(
    name: "recipes",
    migrations: ["CREATE TABLE recipe (id TEXT NOT NULL PRIMARY KEY, title TEXT NOT NULL)"]
  )
}

extension DatabaseTable<Recipe> {
  static let recipes = Self("recipe", [.text("id"), .text("title")]) { row in
    Recipe(id: try row.text(0), title: try row.text(1))
  } columns: { recipe in
    [recipe.id, recipe.title]
  }
}

let operations = Operations<Recipe.ID> { error in
  (error as? LocalStoreError)?.visitorMessage ?? "The recipe could not be saved."
}

struct DatabaseSnippetTests {
  @Test func `what is saved is there when the file is opened again`() async throws {
    let folder = URL.temporaryDirectory.appending(path: "\(UUID())")
    let url = folder.appending(path: "recipes.store")
    let file = try RecipesFile(url)

    try await file.save(Recipe(id: "a", title: "Soup"))
    try await file.save(Recipe(id: "a", title: "Stew"))
    try file.close()

    let again = try RecipesFile(url)
    #expect(try await again.recipes() == [Recipe(id: "a", title: "Stew")])
    try again.close()
    try FileManager.default.removeItem(at: folder)
  }
}
