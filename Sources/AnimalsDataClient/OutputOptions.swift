import AnimalsData
import ArgumentParser
import Foundation

/// How the catalogue is written.
struct OutputOptions: ParsableArguments {
  @Flag(help: "Write JSON, for programs.")
  var json = false

  func write(_ categories: [AnimalsData.Category]) throws {
    try self.write(categories, Text.table(["ID", "NAME"], categories.map { [$0.id, $0.name] }))
  }

  func write(_ animals: [Animal]) throws {
    try self.write(animals, Self.table(animals))
  }

  func write(_ animal: Animal) throws {
    try self.write(animal, Self.table([animal]))
  }

  private static func table(_ animals: [Animal]) -> String {
    Text.table(
      ["ID", "NAME", "DIET", "CATEGORY"],
      animals.map { [$0.id, $0.name, $0.diet.rawValue, $0.categoryId] }
    )
  }

  private func write(_ value: some Encodable, _ table: String) throws {
    var output = Data(table.utf8)
    if self.json {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      output = try encoder.encode(value) + Data("\n".utf8)
    }
    try FileHandle.standardOutput.write(contentsOf: output)
  }
}
