/// The changes of a fork: which recorded actions it skips, and how it reorders others.
struct ForkPlan: Hashable, Sendable {
  /// The number of the first action. The actions after it are in the fork too, up to the limit.
  let from: Int
  /// The numbers of the skipped actions.
  var skipped: [Int] = []
  /// The numbers of the moved actions, in their new order.
  var order: [Int] = []

  /// The maximum number of actions.
  static let limit = 100
  /// The maximum size in a URL, in bytes.
  static let textLimit = 2_000

  /// - Parameter numbers: The numbers in recorded order.
  /// - Returns: The numbers in the order of the fork. Numbers that were not moved stay where they
  ///   are.
  /// - Complexity: O(n log n), n numbers.
  func ordered(_ numbers: [Int]) -> [Int] {
    let known = Set(numbers)
    var seen: Set<Int> = []
    let order = self.order.filter { known.contains($0) && seen.insert($0).inserted }
    var moved = order.makeIterator()
    return numbers.map { seen.contains($0) ? moved.next() ?? $0 : $0 }
  }

  /// The plan in which a number has moved one position earlier.
  ///
  /// - Parameter numbers: The numbers in recorded order.
  /// - Returns: `nil` if it is the first.
  func moving(_ number: Int, earlierIn numbers: [Int]) -> Self? {
    var ordered = self.ordered(numbers)
    guard let index = ordered.firstIndex(of: number), index > 0 else { return nil }
    ordered.swapAt(index, index - 1)
    var plan = self
    plan.order = zip(ordered, numbers).filter { $0 != $1 }.map(\.0)
    return plan
  }

  /// The plan that skips a number, or no longer skips it.
  func toggling(_ number: Int) -> Self {
    var plan = self
    if let index = plan.skipped.firstIndex(of: number) {
      plan.skipped.remove(at: index)
    } else {
      plan.skipped = (plan.skipped + [number]).sorted()
    }
    return plan
  }
}

// The text in a URL: the first number, then `-` and the skipped numbers, then `~` and the new
// order: `12-13.15~17.16`.
extension ForkPlan: LosslessStringConvertible {
  init?(_ description: String) {
    let pattern = /(\d{1,18})(?:-([\d.]+))?(?:~([\d.]+))?/
    guard description.utf8.count <= Self.textLimit,
      let match = description.wholeMatch(of: pattern), let from = Int(match.output.1)
    else { return nil }
    func numbers(_ text: Substring?) -> [Int] {
      (text ?? "").split(separator: ".").compactMap { Int($0) }
    }
    self.init(from: from, skipped: numbers(match.output.2), order: numbers(match.output.3))
  }

  var description: String {
    func text(_ mark: String, _ numbers: [Int]) -> String {
      numbers.isEmpty ? "" : mark + numbers.map { "\($0)" }.joined(separator: ".")
    }
    return "\(self.from)\(text("-", self.skipped))\(text("~", self.order))"
  }
}
