import Foundation
import Services

// Changes of the catalogue as server-sent events (docs/PROTOCOL.md).
extension CatalogueEvent {
  /// The names of the events. A newer server may send others.
  package enum Name: String {
    case saved, deleted, replaced
    /// Something unknown has changed.
    case changed
  }

  package struct Deleted: Codable {
    let animalId: Animal.ID

    package init(animalId: Animal.ID) { self.animalId = animalId }
  }

  package struct Replaced: Codable {
    let animals: [Animal]
    let categories: [Category]

    package init(animals: [Animal], categories: [Category]) {
      self.animals = animals
      self.categories = categories
    }

    package init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      self.animals = try container.decode([ReceivedAnimal].self, forKey: .animals).known
      self.categories = try container.decode([Category].self, forKey: .categories)
    }
  }

  /// - Throws: `DecodingError` if its data does not match its name.
  init(_ event: ServerSentEvent) throws {
    func decode<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
      try JSONDecoder().decode(Value.self, from: Data(event.data.utf8))
    }
    let change: CatalogueChange?
    switch Name(rawValue: event.name) {
    case .saved:
      let received: ReceivedAnimal = try decode()
      change = [received].known.first.map { .saved($0) } ?? .deleted(received.id)
    case .deleted: change = .deleted(try decode(Deleted.self).animalId)
    case .replaced:
      let everything = try decode(Replaced.self)
      change = .replaced(animals: everything.animals, categories: everything.categories)
    case .changed, nil: change = nil
    }
    self.init(change, version: Self.isVersion(event.id) ? event.id : nil)
  }

  /// Clients send it back to the server in a header field.
  private static func isVersion(_ id: String) -> Bool {
    (1...100).contains(id.utf8.count) && id.utf8.allSatisfy { (0x21...0x7E).contains($0) }
  }
}
