import Foundation
import Services

// Changes of the catalogue as server-sent events (docs/PROTOCOL.md).
extension CatalogueEvent {
  private struct Deleted: Decodable {
    let animalId: Animal.ID
  }

  private struct Replaced: Decodable {
    let animals: [Animal]
    let categories: [Category]
  }

  /// - Throws: `DecodingError` if its data does not match its name.
  init(_ event: ServerSentEvent) throws {
    func decode<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
      try JSONDecoder().decode(Value.self, from: Data(event.data.utf8))
    }
    let change: CatalogueChange?
    switch event.name {
    case "saved": change = .saved(try decode())
    case "deleted": change = .deleted(try decode(Deleted.self).animalId)
    case "replaced":
      let everything = try decode(Replaced.self)
      change = .replaced(animals: everything.animals, categories: everything.categories)
    // A newer server may send events that are unknown here.
    default: change = nil
    }
    self.init(change, version: Self.isVersion(event.id) ? event.id : nil)
  }

  /// Clients send it back to the server in a header field.
  private static func isVersion(_ id: String) -> Bool {
    (1...100).contains(id.utf8.count) && id.utf8.allSatisfy { (0x21...0x7E).contains($0) }
  }
}
