import ImmutableData
import Testing

@testable import ImmutableUI

struct RowStepsTests {
  private struct Row: Hashable, Identifiable, Sendable {
    let id: Int
  }

  private func append(
    _ rows: Range<Int>, at version: UInt64, to steps: inout RowSteps<Int, Row>
  ) -> [UInt64] {
    steps.append(Table.Difference(inserted: rows.map(Row.init)), at: version) { $0.id % 100 }
      .map(\.version)
  }

  @Test func `the oldest of more than sixteen steps are forgotten`() {
    var steps = RowSteps<Int, Row>(after: 0)

    let forgotten = (1...20).flatMap { number in
      self.append(number..<number + 1, at: UInt64(number), to: &steps)
    }

    #expect(forgotten == [1, 2, 3, 4])
    #expect(steps.keys(since: 3) == nil)
    #expect(steps.keys(since: 4) == Set(5...20))
  }

  @Test func `the oldest steps are forgotten beyond 4,096 rows, even the newest`() {
    var steps = RowSteps<Int, Row>(after: 0)

    let forgotten = [
      self.append(0..<3_000, at: 1, to: &steps), self.append(0..<1_096, at: 2, to: &steps),
      self.append(0..<1, at: 3, to: &steps), self.append(0..<5_000, at: 4, to: &steps),
    ]

    #expect(forgotten == [[], [], [1], [2, 3, 4]])
    #expect(steps.keys(since: 3) == nil)
    #expect(steps.keys(since: 4) == [])
  }
}
