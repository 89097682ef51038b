import Foundation
import HashTreeCollections
import TestSupport
import Testing

@testable import ImmutableData

struct RowPositionTests {
  private struct Row: ArrangedRow {
    let id: String
    var name = ""
    var position: RowPosition?

    var placeWithoutPosition: String { self.name }

    func at(_ position: RowPosition?) -> Self {
      Self(id: self.id, name: self.name, position: position)
    }
  }

  private static let rows = [
    Row(id: "A", name: "Ant"), Row(id: "B", name: "Bee"), Row(id: "C", name: "Cat"),
    Row(id: "D", name: "Dog"),
  ]

  private static func order(_ rows: [Row]) -> String {
    rows.sorted { $0.place < $1.place }.map(\.id).joined()
  }

  @Test func `a row that was never moved is sorted by name`() {
    let rows = [Row(id: "2", name: "Cat"), Row(id: "1", name: "Cat"), Row(id: "3", name: "Ca")]

    #expect(Self.order(rows + Self.rows) == "AB312CD")
  }

  @Test(
    arguments: [
      (2, nil, 0, "CABD"), (2, 0, 1, "ACBD"), (0, 3, nil, "BCDA"), (3, 1, 2, "ABDC"),
    ] as [(Int, Int?, Int?, String)])
  func `a moved row is placed between two others`(
    index: Int, lower: Int?, upper: Int?, expected: String
  ) throws {
    var rows = Self.rows
    let position = try #require(
      RowPosition.between(lower.map { rows[$0].place }, upper.map { rows[$0].place }))

    rows[index].position = position

    #expect(Self.order(rows) == expected)
    #expect(RowPosition(position.description) == position)
  }

  @Test func `equal texts have the same place`() {
    let (composed, decomposed) = ("\u{E9}", "e\u{301}")
    let one = Row(id: "1\(composed)", name: composed).place
    let other = Row(id: "1\(decomposed)", name: decomposed).place

    #expect(one == other)
    #expect(Row(id: "2", name: "f").place < other)
    #expect(Array(other) == Array("\(composed)\01\(composed)".utf8))
  }

  @Test func `two rows at one position keep an order with room between them`() throws {
    var rows = Self.rows
    let position = try #require(RowPosition.between(rows[0].place, rows[1].place))
    rows[2].position = position
    rows[3].position = position
    #expect(Self.order(rows) == "ACDB")

    rows[1].position = try #require(RowPosition.between(rows[2].place, rows[3].place))

    #expect(Self.order(rows) == "ACBD")
  }

  /// Nothing is between equal bytes. That was looked for without end, so one request stopped a server.
  @Test func `a row that is to be both before and after another one comes behind it`() throws {
    var rows = Self.rows
    let table = TreeDictionary(uniqueKeysWithValues: rows.map { ($0.id, $0) })

    rows[0].position = try #require(table.position(after: "C", before: "C"))

    #expect(Self.order(rows) == "BCAD")
  }

  /// As fractions, they are equal to the beginning of the list.
  @Test func `there is no room before a place of zeros`() {
    #expect(RowPosition.between(nil, Row(id: "").place) == nil)
    #expect(RowPosition.between(nil, Row(id: "\0").place) == nil)
  }

  @Test func `a position exists between two rows that have swapped places`() throws {
    let (first, second) = (Self.rows[3].place, Self.rows[0].place)

    let position = try #require(RowPosition.between(first, second))

    #expect(first < Self.rows[1].at(position).place)
  }

  @Test func `a position beside a row leaves nothing in between`() throws {
    let others = [Self.rows[0], Self.rows[2]]
    let behind = try #require(RowPosition.behind(Self.rows[1].place))
    let before = try #require(RowPosition.before(Self.rows[1].place))

    let moved = [Row(id: "X", position: behind), Row(id: "Y", position: before)]

    #expect(Self.order(others + moved + [Self.rows[1]]) == "AYBXC")
  }

  @Test func `any sequence of moves gives the same order as moving list elements`() throws {
    let seed = UInt64.random(in: .min ... .max)
    var generator = SeededGenerator(seed: seed)
    var rows = (0..<20).map { Row(id: "id\($0)", name: "Row \($0 % 7)") }
    rows.sort { $0.place < $1.place }

    for _ in 0..<2_000 {
      let row = rows.remove(at: .random(in: rows.indices, using: &generator))
      let index = Int.random(in: 0...rows.count, using: &generator)
      let position = try #require(
        RowPosition.between(
          index > 0 ? rows[index - 1].place : nil, index < rows.count ? rows[index].place : nil))
      rows.insert(row.at(position), at: index)

      let sorted = rows.sorted { $0.place < $1.place }
      #expect(sorted.map(\.id) == rows.map(\.id), "seed \(seed)")
    }
  }

  @Test func `positions are bounded in length, and then there is no room`() throws {
    var (lower, upper, count) = (Self.rows[0], Self.rows[1], 0)
    var moved = Self.rows[2]

    while let position = RowPosition.between(lower.place, upper.place), count < 100_000 {
      moved = (count.isMultiple(of: 2) ? Self.rows[2] : Self.rows[3]).at(position)
      (lower, upper) = count.isMultiple(of: 2) ? (moved, upper) : (lower, moved)
      count += 1
    }

    #expect((1_000..<100_000).contains(count))
    #expect((moved.position?.bytes.count ?? 0) <= RowPosition.byteLimit)
  }

  @Test(arguments: [("A", "B", "ADB"), ("Unicorn", "B", "ADB"), ("A", "Unicorn", "ADB")])
  func `a deleted neighbor does not prevent a move`(
    after: String, before: String, expected: String
  ) throws {
    let (first, second, third) = (Self.rows[0], Self.rows[1], Self.rows[3])
    let table: TreeDictionary = ["A": first, "B": second, "D": third]

    let position = try #require(table.position(after: after, before: before))

    #expect(Self.order([first, second, third.at(position)]) == expected)
  }

  @Test(arguments: [
    "", "0", "00", "4100", "4g", "AB", "é1", String(repeating: "41", count: 1_025),
  ])
  func `text that is no position is refused`(text: String) throws {
    #expect(RowPosition(text) == nil)
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([RowPosition].self, from: Data("[\"\(text)\"]".utf8))
    }
  }

  @Test func `as JSON, a position is its text`() throws {
    let position = try #require(RowPosition("417f"))

    let json = try JSONEncoder().encode([position])

    #expect(String(decoding: json, as: UTF8.self) == "[\"417f\"]")
    #expect(try JSONDecoder().decode([RowPosition].self, from: json) == [position])
  }
}
