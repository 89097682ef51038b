import ArgumentParser
import QuakesData
import Terminal

extension QuakesDataClient {
  struct Delete: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Deletes earthquakes.",
      discussion: "If one of them does not exist, none is deleted. Prints the deleted earthquakes."
    )

    @Argument(help: "The ids of the earthquakes.")
    var ids: [String]

    @OptionGroup var database: DatabaseOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
      let quakes = try await self.database.withStore { store in
        let state = QuakesState(quakes: QuakesState.Quakes(try await store.fetchShowableQuakes()))
        var seen: Set<Quake.ID> = []
        let quakes = try self.ids.filter { seen.insert($0).inserted }.map { id in
          guard let quake = QuakesState.selectQuake(quakeId: id)(state) else {
            throw Complaint("There is no earthquake “\(id)”.")
          }
          return quake
        }
        try await store.deleteLocalQuakesMutation(quakeIds: seen)
        return quakes
      }
      try self.output.write(quakes)
    }
  }

  struct DeleteAll: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Deletes every earthquake.",
      discussion: "Asks for confirmation. Prints how many were deleted."
    )

    @OptionGroup var confirmation: ConfirmationOptions
    @OptionGroup var database: DatabaseOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
      try self.confirmation.check("This deletes all earthquakes.")
    }

    func run() async throws {
      let count = try await self.database.withStore { store in
        let count = try await store.fetchShowableQuakes().count
        try self.confirmation.ask("Delete all earthquakes (\(count))?")
        try await store.deleteLocalQuakesMutation()
        return count
      }
      try self.output.write(["deleted": count], "Earthquakes deleted: \(count).\n")
    }
  }
}
