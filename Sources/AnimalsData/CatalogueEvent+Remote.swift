import Foundation
import Services

// Changes of the catalogue as server-sent events (docs/PROTOCOL.md).
extension CatalogueEvent {
  private enum Name {
    static let saved = "saved"
    static let deleted = "deleted"
    static let replaced = "replaced"
    static let changed = "changed"
  }

  private struct Deleted: Codable {
    let animalId: Animal.ID
  }

  private struct Replaced: Codable {
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
    case Name.saved: change = .saved(try decode())
    case Name.deleted: change = .deleted(try decode(Deleted.self).animalId)
    case Name.replaced:
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

  /// The lines of the event.
  package func serverSentEvent() throws -> String {
    let name: String
    let data: any Encodable
    switch self.change {
    case .saved(let animal): (name, data) = (Name.saved, animal)
    case .deleted(let animalId): (name, data) = (Name.deleted, Deleted(animalId: animalId))
    case .replaced(let animals, let categories):
      (name, data) = (Name.replaced, Replaced(animals: animals, categories: categories))
    case nil: (name, data) = (Name.changed, [String: String]())
    }
    let json = String(decoding: try JSONEncoder().encode(data), as: UTF8.self)
    // JSON without indentation contains no line ends.
    return "event: \(name)\n" + (self.version.map { "id: \($0)\n" } ?? "") + "data: \(json)\n\n"
  }
}
