import AnimalsData
import ArgumentParser
import Terminal

extension AnimalsDataClient {
  /// The default command, as in the guide.
  struct Overview: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "overview",
      abstract: "Lists the animals and the categories."
    )

    @OptionGroup var catalog: CatalogOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
      let contents = try await self.catalog.withStore { store in
        Contents(
          animals: try await store.fetchAnimalsQuery(),
          categories: try await store.fetchCategoriesQuery()
        )
      }
      try self.output.write(
        contents,
        OutputOptions.table(contents.animals) + "\n" + OutputOptions.table(contents.categories)
      )
    }
  }

  private struct Contents: Encodable {
    let animals: [Animal]
    let categories: [AnimalsData.Category]
  }
}
