import ArgumentParser
import Foundation
import QuakesData

/// The location of the database.
struct DatabaseOptions: ParsableArguments {
  @Option(help: "The file of the database; it is created if it does not exist.")
  var database = "quakes.store"

  /// Opens the database, works with it and closes it.
  func withStore<Value>(_ work: (LocalStore) async throws -> Value) async throws -> Value {
    let store = try LocalStore(url: URL(filePath: self.database))
    do {
      let value = try await work(store)
      try store.close()
      return value
    } catch {
      try? store.close()
      throw error
    }
  }
}
