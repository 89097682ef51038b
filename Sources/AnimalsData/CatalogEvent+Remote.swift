import Foundation
import Logging
import PlainText
import Services

// Changes of the catalog as server-sent events (docs/PROTOCOL.md).
extension CatalogEvent {
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

  /// If its data does not match its name, which is logged, something unknown has changed. A server
  /// sends the same event again after a failure, so nothing could be followed otherwise.
  init(_ event: ServerSentEvent) {
    var change: CatalogChange?
    do {
      change = try Self.change(event)
    } catch {
      Logger(label: "AnimalsData").error(
        "A change of the catalog cannot be read; everything is read again",
        metadata: ["event": "\(event.name)", "error": "\(error)"]
      )
    }
    self.init(change, version: Self.isVersion(event.id) ? event.id : nil)
  }

  /// - Throws: `DecodingError` if its data does not match its name.
  private static func change(_ event: ServerSentEvent) throws -> CatalogChange? {
    func decode<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
      let data = Data(event.data.utf8)
      if let problem = data.problemAsJSON {
        throw DecodingError.dataCorrupted(
          DecodingError.Context(codingPath: [], debugDescription: "It \(problem)."))
      }
      return try JSONDecoder().decode(Value.self, from: data)
    }
    switch Name(rawValue: event.name) {
    case .saved:
      let received: ReceivedAnimal = try decode()
      return [received].known.first.map { .saved($0) } ?? .deleted(received.id)
    case .deleted:
      return .deleted(try decode(Deleted.self).animalId)
    case .replaced:
      let everything = try decode(Replaced.self)
      return .replaced(animals: everything.animals, categories: everything.categories)
    case .changed, nil:
      return nil
    }
  }

  /// Clients send it back to the server in a header field.
  private static func isVersion(_ id: String) -> Bool {
    (1...100).contains(id.utf8.count) && id.utf8.allSatisfy { (0x21...0x7E).contains($0) }
  }
}
