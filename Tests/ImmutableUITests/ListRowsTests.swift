import HashTreeCollections
import ImmutableData
import Testing

@testable import ImmutableUI

private struct Item: Hashable, Identifiable, Sendable {
  let id: Int
  var name = ""
}

private struct Row: Hashable, Identifiable, Sendable {
  let item: Item
  let isMarked: Bool
  let number: Int
  let previous: Item?

  var id: Int { self.item.id }
}

/// The second part of a list of 2,000 rows, whose ids are multiples of ten.
private struct Part {
  var marked: TreeSet<Int> = []
  var numbers: [Int] = []
  var sorted: SortedRows<Item>
  var reach = 0
  var title = ""

  init() {
    self.sorted = SortedRows(by: RowOrder(\.id))
    self.sorted.insert(all: (0..<2_000).map { Item(id: 10 * $0) })
  }

  var rows: ListRows<Item, Row> {
    let reach = self.reach
    return ListRows(
      ListPart(from: 500, of: self.sorted.count), of: self.sorted, marked: self.marked,
      numbered: self.numbers, reach: reach, capturing: self.title
    ) {
      Row(
        item: $0.source, isMarked: $0.isMarked, number: $0.number,
        previous: reach > 0 ? $0[-1] : nil)
    }
  }

  mutating func rename(_ id: Int) {
    self.sorted.remove(Item(id: id))
    self.sorted.insert(Item(id: id, name: "new"))
  }
}

struct ListRowsTests {
  /// The positions that a render looks at after a change of the part.
  private static func looked(
    reach: Int = 0,
    _ change: (inout Part) -> Void
  ) -> [Int] {
    var part = Part()
    part.reach = reach
    let old = part.rows
    change(&part)
    let rows = part.rows
    let result = rows.change(from: old, RowPositions())
    let last = rows.count - result.addedLast..<rows.count
    return (Array(result.replacing) + result.changed.map(\.new) + last).sorted()
  }

  @Test func `a changed row is the only one that is looked at`() {
    #expect(Self.looked { $0.rename(7_000) } == [200])
  }

  @Test func `changed rows far apart are the only ones that are looked at`() {
    let looked = Self.looked {
      $0.rename(5_100)
      $0.rename(9_000)
    }

    #expect(looked == [10, 400])
  }

  @Test func `a change outside the part looks at no row`() {
    #expect(Self.looked { $0.rename(15_000) } == [])
  }

  @Test func `rows that are marked or no longer marked are looked at`() {
    var part = Part()
    part.marked = [6_000, 30]
    let old = part.rows
    part.marked = [7_000, 30]

    let change = part.rows.change(from: old, RowPositions())

    #expect(change.changed.map(\.new).sorted() == [100, 200])
    #expect(part.rows.row(at: 200).isMarked)
    #expect(part.rows.row(at: 100).isMarked == false)
  }

  @Test func `rows whose number has changed are looked at, also if they have moved`() {
    var part = Part()
    part.numbers = Array(repeating: 1, count: 500)
    let old = part.rows
    part.sorted.remove(Item(id: 5_030))
    part.numbers[1] = 2
    part.numbers[100] = 3

    let change = part.rows.change(from: old, RowPositions())

    #expect(change.changed.map(\.old).sorted() == [1, 101])
    #expect(change.changed.map(\.new).sorted() == [1, 100])
    #expect(part.rows.row(at: 100).number == 3)
  }

  @Test func `all rows are looked at when they get numbers`() {
    #expect(Self.looked { $0.numbers = Array(0..<500) } == Array(0..<500))
  }

  @Test func `rows in reach of a changed row are looked at`() {
    #expect(Self.looked(reach: 2) { $0.rename(7_000) } == [198, 199, 200, 201, 202])
    #expect(Self.looked(reach: 2) { $0.rename(4_990) } == [0, 1])
    #expect(Self.looked(reach: 2) { $0.rename(4_970) } == [])
  }

  @Test func `a removed row lets one row move up, which is the only one that is looked at`() {
    #expect(Self.looked { $0.sorted.remove(Item(id: 7_000)) } == [499])
  }

  @Test func `an inserted row is the only one that is looked at`() {
    #expect(Self.looked { $0.sorted.insert(Item(id: 7_001)) } == [201])
  }

  @Test func `all rows are looked at when what they capture has changed`() {
    #expect(Self.looked { $0.title = "new" } == Array(0..<500))
  }

  @Test func `a row sees its neighbors also beyond the ends of its part`() {
    var part = Part()
    part.reach = 1

    #expect(part.rows.row(at: 0).previous?.id == 4_990)
  }
}
