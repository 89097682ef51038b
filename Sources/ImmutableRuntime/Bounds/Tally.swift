/// Amounts by key, such as the bytes that each client takes, and their sum. A key whose amount is
/// zero is forgotten, so there are no more keys than things that are counted.
struct Tally<Key: Hashable> {
  private(set) var sum = 0
  private var amounts: [Key: Int] = [:]

  subscript(key: Key) -> Int { self.amounts[key, default: 0] }

  mutating func add(_ amount: Int, for key: Key) {
    self.sum += amount
    let total = self[key] + amount
    self.amounts[key] = total == 0 ? nil : total
  }
}
