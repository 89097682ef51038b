import HashTreeCollections
import ImmutableData

// Without the data that is derived from the animals.
extension AnimalsState.Animals: Codable {
  private enum CodingKeys: CodingKey {
    case table, status, queue, added, ended, failure
  }

  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init()
    self.table = try values.decode(Table<Animal>.self, forKey: .table)
    self.status = try values.decodeIfPresent(Status.self, forKey: .status)
    self.queue = try values.decode(TreeDictionary<Animal.ID, Status>.self, forKey: .queue)
    self.added = try values.decode(TreeDictionary<Animal.ID, Animal.ID>.self, forKey: .added)
    self.ended =
      try values.decodeIfPresent(Expiry<Animal.ID>.self, forKey: .ended) ?? self.endedInAnyOrder
    self.failure = try values.decodeIfPresent(ChangeFailure.self, forKey: .failure)
  }

  package func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(self.table, forKey: .table)
    try values.encodeIfPresent(self.status, forKey: .status)
    try values.encode(self.queue, forKey: .queue)
    try values.encode(self.added, forKey: .added)
    try values.encode(self.ended, forKey: .ended)
    try values.encodeIfPresent(self.failure, forKey: .failure)
  }

  /// For states that were encoded before ``ended`` was added.
  private var endedInAnyOrder: Expiry<Animal.ID> {
    self.queue.filter { $0.value != .waiting }.keys.reduce(into: Expiry()) {
      _ = $0.didEnd($1, limit: .max)
    }
  }
}
