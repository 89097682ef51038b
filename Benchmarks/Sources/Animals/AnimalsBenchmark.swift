import AnimalsData
import Foundation

/// Measures LocalStore against plain SQL, and writes a table.
///
/// Both take turns, and the best of several runs counts: what else the machine did made others slower.
@main enum AnimalsBenchmark {
  static let operations = 1_000
  static let rows = 10_000
  static let runs = 5

  static func main() async throws {
    var store: [Step: Duration] = [:]
    var plain: [Step: Duration] = [:]
    for _ in 0..<Self.runs {
      let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }

      let limit = try PlainSQL(path: folder.appending(path: "plain.store").path).measure()
      plain.merge(limit) { min($0, $1) }

      let localStore = try LocalStore<UUID>(url: folder.appending(path: "animals.store"))
      let own = try await Self.measure(localStore)
      store.merge(own) { min($0, $1) }
      try localStore.close()
    }
    print("| | Plain SQL | LocalStore | of plain SQL |\n| --- | ---: | ---: | ---: |")
    for step in Step.allCases {
      guard let limit = plain[step], let own = store[step] else { continue }
      let ratio = String(format: "%.2f", own / limit)
      print("| \(step.rawValue) | \(Self.text(limit)) | \(Self.text(own)) | \(ratio) |")
    }
  }

  private static func text(_ duration: Duration) -> String {
    String(format: "%.1f ms", duration / .milliseconds(1))
  }
}

enum Step: String, CaseIterable {
  case add = "Add 1,000 animals, one by one"
  case update = "Update 1,000 animals, one by one"
  case delete = "Delete 1,000 animals, one by one"
  case fetch = "Fetch 10,000 animals"
}

extension AnimalsBenchmark {
  /// Leaves the file with rows for the fetch, which is measured last.
  private static func measure(_ store: LocalStore<UUID>) async throws -> [Step: Duration] {
    let clock = ContinuousClock()
    var results: [Step: Duration] = [:]
    var ids: [String] = []
    results[.add] = try await clock.measure {
      for index in 0..<Self.operations {
        let animal = try await store.addAnimalMutation(
          name: "Animal \(index)", diet: .omnivorous, categoryId: "Bird")
        ids.append(animal.id)
      }
    }
    results[.update] = try await clock.measure {
      for id in ids {
        _ = try await store.updateAnimalMutation(
          animalId: id, name: "Other animal", diet: .carnivorous, categoryId: "Fish")
      }
    }
    results[.delete] = try await clock.measure {
      for id in ids {
        _ = try await store.deleteAnimalMutation(animalId: id)
      }
    }
    for index in 0..<Self.rows {
      _ = try await store.addAnimalMutation(
        name: "Animal \(index)", diet: .omnivorous, categoryId: "Bird")
    }
    var count = 0
    results[.fetch] = try await clock.measure {
      count = try await store.fetchAnimalsQuery().count
    }
    precondition(count >= Self.rows)
    return results
  }
}
