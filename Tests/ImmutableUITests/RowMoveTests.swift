import HashTreeCollections
import ImmutableData
import Testing

@testable import ImmutableUI

struct RowMoveTests {
  private struct Row: ArrangedRow, Hashable, Sendable {
    let id: String
    var position: RowPosition?

    var placeWithoutPosition: String { self.id }
  }

  /// The ids of the rows, in order, after a move.
  private static func order(after move: RowMove?, of rows: [Row]) throws -> String {
    var table = Table<Row>()
    table.insert(rows)
    if let move {
      let position = table.rows.position(after: move.after, before: move.before)
      table[move.id]?.position = try #require(position)
    }
    return table.rows.values.sorted { $0.place < $1.place }.map(\.id).joined()
  }

  private static let rows = ["A", "B", "C", "D"].map { Row(id: $0) }

  @Test(arguments: zip(0..<4, ["ABCD", "BACD", "ACBD", "ABDC"]))
  func `a move up passes the row before it`(index: Int, expected: String) throws {
    let move = RowMove(up: index, in: Self.rows)
    let order = try Self.order(after: move, of: Self.rows)

    #expect((move == nil) == (index == 0))
    #expect(order == expected)
  }

  @Test(arguments: zip(0..<4, ["BACD", "ACBD", "ABDC", "ABCD"]))
  func `a move down passes the row after it`(index: Int, expected: String) throws {
    let move = RowMove(down: index, in: Self.rows)
    let order = try Self.order(after: move, of: Self.rows)

    #expect((move == nil) == (index == 3))
    #expect(order == expected)
  }

  @Test func `the rows may be a part of others`() {
    let part = Self.rows[1...2]

    #expect(RowMove(up: 1, in: part) == nil)
    #expect(RowMove(down: 1, in: part) == RowMove("B", after: "C", before: nil))
    #expect(RowMove(up: 2, in: part) == RowMove("C", after: nil, before: "B"))
    #expect(RowMove(down: 2, in: part) == nil)
  }

  @Test(
    arguments: [
      RowMove("a~b", after: "%7E", before: nil), RowMove("A", after: nil, before: "~"),
      RowMove("A", after: nil, before: nil),
    ])
  func `a move is a text and back`(move: RowMove) {
    #expect(RowMove(move.description) == move)
  }

  @Test(arguments: ["", "~~", "A", "A~B", "A~B~C~D", "~B~C"])
  func `any other text is no move`(text: String) {
    #expect(RowMove(text) == nil)
  }
}
