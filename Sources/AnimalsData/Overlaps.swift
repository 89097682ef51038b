/// Knows what was written while something was read: what was read is older than that.
@MainActor final class Overlaps {
  private var count = 0
  private var changed: [Int: Set<Animal.ID>] = [:]

  nonisolated init() {}

  func beginFetch() -> Int {
    self.count += 1
    self.changed[self.count] = []
    return self.count
  }

  /// - Returns: The animals that were changed since it began.
  func changes(since fetch: Int) -> Set<Animal.ID> {
    self.changed[fetch] ?? []
  }

  func endFetch(_ fetch: Int) {
    self.changed[fetch] = nil
  }

  func didChange(_ animalId: Animal.ID) {
    for fetch in self.changed.keys {
      self.changed[fetch]?.insert(animalId)
    }
  }
}
