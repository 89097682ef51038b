import Foundation
import ImmutableData
import TestSupport
import Testing

/// Tables: what differs between any two makes the one of the other, and what follows that is what is
/// derived from all rows.
struct TableFuzzTests {
  /// Whose hash says little, so that trees have collisions.
  private struct Row: Hashable, Identifiable, Sendable {
    struct ID: Hashable, Comparable, Sendable {
      let number: Int

      func hash(into hasher: inout Hasher) {
        hasher.combine(self.number % 7 == 0 ? 0 : self.number)
      }
      static func < (lhs: Self, rhs: Self) -> Bool { lhs.number < rhs.number }
    }

    let id: ID
    let name: String
    let group: Int

    init(of count: Int, using generator: inout SeededGenerator) {
      self.id = ID(number: Int.random(in: 0..<count, using: &generator))
      self.name = "abcd".randomElement(using: &generator).map(String.init) ?? ""
      self.group = Int.random(in: 0..<2, using: &generator)
    }

    func hash(into hasher: inout Hasher) { hasher.combine(self.id) }
  }

  @Test func `table differences and incremental derivations equal recomputation`()
    async throws
  {
    try await Fuzzing.run("tables", few: 500) { generator in
      var (lhs, rhs) = (Table<Row>(), Table<Row>())
      // Some are so long that lists are kept in several pieces.
      let count = Int.random(in: 0..<100, using: &generator) == 0 ? 2_000 : 40
      Self.change(&lhs, count, using: &generator)
      // Branches of one table, or two that have nothing in common.
      if Bool.random(using: &generator) { rhs = lhs }
      Self.change(&lhs, count, using: &generator)
      Self.change(&rhs, count, using: &generator)

      try Self.check(from: lhs, to: rhs)
      try Self.check(from: rhs, to: lhs)
      try Self.check(from: lhs, to: lhs)
    }
  }

  private static func change(
    _ table: inout Table<Row>,
    _ count: Int,
    using generator: inout SeededGenerator
  ) {
    for _ in 0..<Int.random(in: 0...(2 * count), using: &generator) {
      let row = Row(of: count, using: &generator)
      switch Int.random(in: 0..<6, using: &generator) {
      case 0, 1: table[row.id] = nil
      case 2: table.insert([row, Row(of: count, using: &generator)])
      case 3 where Int.random(in: 0..<count, using: &generator) == 0:
        table.replace(with: (0..<20).map { _ in Row(of: count, using: &generator) })
      default: table[row.id] = row
      }
    }
  }

  private static func check(from old: Table<Row>, to new: Table<Row>) throws {
    let difference = new.difference(from: old)
    var made = old
    for row in difference.removed {
      try require(made[row.id] == row, "\(row) is removed and was not there")
      made[row.id] = nil
    }
    for row in difference.inserted {
      try require(made[row.id] == nil, "\(row) is inserted and was there")
      made[row.id] = row
    }
    try require(made == new, "\(difference) does not make \(new) of \(old)")

    for order in [RowOrder<Row>(\.name), RowOrder(\.name, .reverse)] {
      let empty = SortedRows<Row>(by: order) { $0.group == 0 }
      var followed = empty.with(old)
      followed.follow(difference)
      let anew = empty.with(new)
      try require(followed == anew, "\(Array(followed)) is not \(Array(anew))")
      try require(Array(followed) == Array(anew), "equal lists have different rows")
      let (start, count) = (followed.count / 3, followed.count)
      for part in [0..<count, start..<count, start..<(count - start)] {
        let rows = followed.rows(in: part)
        try require(rows == part.map { followed[$0] }, "\(part) has other rows than one by one")
      }
    }
  }

  private static func require(_ condition: Bool, _ problem: @autoclosure () -> String) throws {
    if condition == false { throw Finding(problem(), []) }
  }
}
