import HashTreeCollections
import Synchronization
import TestSupport
import Testing

@testable import ImmutableData

private struct Row: Hashable, Identifiable, Sendable {
  let id: Int
  var name = ""
}

extension Table<Row> {
  fileprivate init(_ ids: some Sequence<Int>) {
    self.init()
    self.insert(ids.map { Row(id: $0) })
  }
}

struct TableTests {
  @Test func `the difference is the added, changed and removed rows`() {
    let old = Table<Row>(1...3)
    var new = old

    new[4] = Row(id: 4)
    new[2] = Row(id: 2, name: "Two")
    new[1] = nil

    let difference = new.difference(from: old)
    #expect(Set(difference.removed) == [Row(id: 1), Row(id: 2)])
    #expect(Set(difference.inserted) == [Row(id: 2, name: "Two"), Row(id: 4)])
    #expect(difference.count == 4)
  }

  @Test func `a row that ends up unchanged is not in the difference`() {
    let old = Table<Row>(1...3)
    var new = old

    new[2] = Row(id: 2, name: "Two")
    new[2] = Row(id: 2)
    new[9] = nil
    new.insert([Row(id: 3)])

    #expect(new.difference(from: old).isEmpty)
    #expect(new == old)
  }

  @Test func `replacing a table keeps equal rows`() {
    let old = Table<Row>(1...3)
    var new = old

    new.replace(with: [Row(id: 3), Row(id: 2, name: "Two"), Row(id: 7), Row(id: 7, name: "Seven")])

    #expect(new.rows == [2: Row(id: 2, name: "Two"), 3: Row(id: 3), 7: Row(id: 7, name: "Seven")])
    #expect(Set(new.difference(from: old).removed) == [Row(id: 1), Row(id: 2)])
  }
}

struct SortedRowsTests {
  private static func rows(_ names: [String]) -> SortedRows<Row> {
    var rows = SortedRows<Row>(by: RowOrder(\.name)) { $0.name.isEmpty == false }
    rows.insert(all: names.enumerated().map { Row(id: $0, name: $1) })
    return rows
  }

  @Test func `rows that pass the filter are sorted, equal ones by their ids`() {
    let rows = Self.rows(["b", "", "a", "b", "a"])

    #expect(rows.map(\.id) == [2, 4, 0, 3])
    #expect(rows.first == Row(id: 2, name: "a"))
  }

  @Test func `rows are inserted and removed in order`() {
    var rows = Self.rows(["b", "d"])

    rows.insert(Row(id: 9, name: "c"))
    rows.insert(Row(id: 8, name: ""))
    rows.remove(Row(id: 0, name: "b"))
    rows.remove(Row(id: 7, name: "z"))

    #expect(rows.map(\.name) == ["c", "d"])
    #expect(rows.index(of: Row(id: 1, name: "d")) == 1)
    #expect(rows.index(of: Row(id: 0, name: "b")) == nil)
  }

  @Test func `an order that tells equal rows apart leaves no row behind`() {
    let order = RowOrder<Row>(\.name.utf8.count)
    var rows = SortedRows<Row>(by: order)
    rows.insert(all: [Row(id: 1, name: "\u{E9}"), Row(id: 2, name: "ab"), Row(id: 3, name: "abc")])

    // Two bytes for the first, three for the second.
    rows.remove(Row(id: 1, name: "e\u{301}"))

    #expect(rows.map(\.id) == [2, 3])
  }

  @Test func `a long list is read by offsets and ranges`() {
    let names = (0..<5_000).map { "\(10_000 + $0)" }
    var rows = Self.rows(names)
    for number in 0..<500 { rows.remove(Row(id: number * 3, name: names[number * 3])) }

    let expected = names.enumerated().filter { $0.offset >= 1_500 || $0.offset % 3 != 0 }.map(
      \.element)
    #expect(rows.map(\.name) == expected)
    #expect(rows[700...1_400].map(\.name) == Array(expected[700...1_400]))
    #expect(rows[rows.count - 1].name == expected.last)
  }
}

// What they cost.
extension SortedRowsTests {
  @Test func `only changed rows are examined`() {
    let looks = Mutex(0)
    var table = Table<Row>(1...10_000)
    let rows = SortedRows<Row>(by: RowOrder(\.name)) { row in
      looks.withLock { $0 += 1 }
      return row.id % 2 == 0
    }
    var followed = rows.with(table)
    let old = table
    table[5_000] = Row(id: 5_000, name: "Changed")
    looks.withLock { $0 = 0 }

    followed.follow(table.difference(from: old))

    #expect(looks.withLock { $0 } == 2)
    #expect(followed.last?.name == "Changed")
    #expect(followed == rows.with(table))
  }
}
