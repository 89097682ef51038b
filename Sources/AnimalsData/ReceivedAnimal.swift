import DatabaseFiles
import Logging

/// An animal that an AnimalsDataServer sends. A newer one may know more diets than this program.
struct ReceivedAnimal: Decodable, Identifiable {
  let id: Animal.ID
  /// `nil` if its diet is not known.
  let animal: Animal?

  private enum CodingKeys: String, CodingKey {
    case id = "animalId"
    case diet
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.id = try container.decode(String.self, forKey: .id)
    let diet = try container.decode(String.self, forKey: .diet)
    self.animal = Animal.Diet(rawValue: diet) == nil ? nil : try Animal(from: decoder)
  }
}

extension [ReceivedAnimal] {
  /// The animals whose diets are known. The others are logged, and do not hide these.
  var known: [Animal] {
    self.showable(
      .animalsData, "Animals from the server have diets that are not known and are skipped",
      \.animal)
  }
}
