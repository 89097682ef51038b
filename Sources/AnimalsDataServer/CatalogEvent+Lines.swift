import AnimalsData
import Foundation

// Changes of the catalog as server-sent events (docs/PROTOCOL.md).
extension CatalogEvent {
  /// The lines of the event.
  func serverSentEvent() throws -> String {
    let name: Name
    let data: any Encodable
    switch self.change {
    case .saved(let animal): (name, data) = (.saved, animal)
    case .deleted(let animalId): (name, data) = (.deleted, Deleted(animalId: animalId))
    case .replaced(let animals, let categories):
      (name, data) = (.replaced, Replaced(animals: animals, categories: categories))
    case nil: (name, data) = (.changed, [String: String]())
    }
    let json = String(decoding: try JSONEncoder().encode(data), as: UTF8.self)
    // JSON without indentation contains no line ends.
    return "event: \(name.rawValue)\n" + (self.version.map { "id: \($0)\n" } ?? "")
      + "data: \(json)\n\n"
  }
}
