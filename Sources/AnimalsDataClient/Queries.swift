import AnimalsData
import ArgumentParser
import Terminal

extension AnimalsDataClient {
  struct Categories: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Lists the categories.")

    @OptionGroup var catalog: CatalogOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
      let categories = try await self.catalog.withStore { store in
        try await store.fetchCategoriesQuery()
      }
      try self.output.write(categories)
    }
  }

  struct Animals: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Lists the animals.")

    @Option(help: "The id of the category whose animals are listed; by default, all animals are.")
    var category: String?

    @OptionGroup var catalog: CatalogOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
      let animals = try await self.catalog.withStore { store in
        if let category = self.category {
          let categories = try await store.fetchCategoriesQuery()
          guard categories.contains(where: { $0.id == category }) else {
            throw Complaint("There is no category “\(category)”.")
          }
        }
        return try await store.fetchAnimalsQuery()
      }
      try self.output.write(
        animals.filter { self.category == nil || $0.categoryId == self.category }
      )
    }
  }
}
