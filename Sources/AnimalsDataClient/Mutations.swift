import AnimalsData
import ArgumentParser
import PlainText
import Terminal

extension AnimalsDataClient {
  struct Add: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Adds an animal.",
      discussion: "Prints the animal, with its new id."
    )

    @Option(help: "The name.")
    var name: String

    @Option(help: "Its diet.")
    var diet: Animal.Diet

    @Option(help: "The id of its category.")
    var category: String

    @OptionGroup var catalog: CatalogOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
      try check(name: self.name)
    }

    func run() async throws {
      let animal = try await self.catalog.withStore { store in
        try await store.requireCategory(self.category)
        return try await store.addAnimalMutation(
          name: self.name,
          diet: self.diet,
          categoryId: self.category
        )
      }
      try self.output.write(animal)
    }
  }

  struct Update: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Changes an animal.",
      discussion: "Values that are not given stay as they are. Prints the animal as it is now."
    )

    @Argument(help: "The id of the animal.")
    var id: String

    @Option(help: "The new name.")
    var name: String?

    @Option(help: "Its new diet.")
    var diet: Animal.Diet?

    @Option(help: "The id of its new category.")
    var category: String?

    @OptionGroup var catalog: CatalogOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
      guard self.name != nil || self.diet != nil || self.category != nil else {
        throw ValidationError("Set at least one of --name, --diet and --category.")
      }
      if let name = self.name {
        try check(name: name)
      }
    }

    func run() async throws {
      let animal = try await self.catalog.withStore { store in
        if let category = self.category { try await store.requireCategory(category) }
        guard let old = try await store.fetchAnimalsQuery().first(where: { $0.id == self.id })
        else { throw Complaint("There is no animal “\(self.id)”.") }
        return try await store.updateAnimalMutation(
          old,
          changes: Animal.Changes(name: self.name, diet: self.diet, categoryId: self.category)
        )
      }
      try self.output.write(animal)
    }
  }

  struct Delete: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Deletes an animal.",
      discussion: "Prints the deleted animal."
    )

    @Argument(help: "The id of the animal.")
    var id: String

    @OptionGroup var catalog: CatalogOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
      let animal = try await self.catalog.withStore { store in
        try await store.deleteAnimalMutation(animalId: self.id)
      }
      try self.output.write(animal)
    }
  }

  struct Reload: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Replaces everything with the sample data.",
      discussion: "Asks for confirmation. Prints the animals that exist now."
    )

    @OptionGroup var confirmation: ConfirmationOptions
    @OptionGroup var catalog: CatalogOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
      try self.confirmation.check("This deletes all animals and categories.")
    }

    func run() async throws {
      try self.confirmation.ask("Replace all animals and categories with the sample data?")
      let data = try await self.catalog.withStore { store in
        try await store.reloadSampleDataMutation()
      }
      try self.output.write(data.animals)
    }
  }
}

/// - Throws: `ValidationError` for a name that cannot be shown, or is too long.
private func check(name: String) throws {
  do {
    _ = try AnimalName(name)
  } catch {
    throw ValidationError("--name: \(AnimalName.rule.message(error))")
  }
}
