import Foundation
import ImmutableData
import Testing

struct HeapEstimateTests {
  private struct Row {
    var name: String
    var number: Int
  }

  private indirect enum Nested {
    case end
    case list([Nested])
  }

  @Test func `bytes and numbers count as what they take`() {
    let bytes = HeapEstimate.bytes(of: [UInt8](repeating: 1, count: 100_000))
    let numbers = HeapEstimate.bytes(of: [Int](repeating: 1, count: 100_000))

    #expect((100_000...100_100).contains(bytes))
    #expect((800_000...800_100).contains(numbers))
  }

  @Test func `texts and data count with their content`() {
    let text = String(repeating: "a", count: 50_000)

    let bytes = HeapEstimate.bytes(
      of: (text, Data(count: 30_000), Optional(Row(name: text, number: 1))))

    #expect((130_000...130_300).contains(bytes))
  }

  @Test func `a few elements stand for all elements of a collection`() {
    let row = Row(name: String(repeating: "a", count: 968), number: 1)
    let byName = Dictionary(uniqueKeysWithValues: (0..<1_000).map { ($0, row) })

    let estimates = [
      HeapEstimate.bytes(of: [Row](repeating: row, count: 1_000)), HeapEstimate.bytes(of: byName),
    ]

    #expect(estimates.allSatisfy { (1_000_000...1_100_000).contains($0) })
  }

  @Test func `collections of collections cost a fixed number of visits`() {
    // Without a limit of visits, this would need 16^12 of them.
    let nested = (0..<12).reduce(Nested.end) { nested, _ in
      .list([Nested](repeating: nested, count: 16))
    }

    #expect(HeapEstimate.bytes(of: nested) > 0)
  }

  private struct Item: Identifiable, Hashable, Sendable {
    let id: Int
    var name = ""
  }

  private struct State {
    var list = [Int](repeating: 1, count: 10_000)
    var table = Table<Item>()
    var number = 0

    init() { self.table.insert((0..<10_000).map { Item(id: $0) }) }
  }

  @Test func `of two states, what was copied as a whole counts`() {
    let old = State()
    var (other, changed) = (old, old)
    other.number = 1
    changed.list[5] = 2

    #expect(HeapEstimate.copiedBytes(from: old, to: old) == 0)
    #expect(HeapEstimate.copiedBytes(from: old, to: other) == 0)
    #expect((80_000...80_100).contains(HeapEstimate.copiedBytes(from: old, to: changed)))
  }

  @Test func `of two states, what a table shares does not count`() {
    let old = State()
    var changed = old
    changed.table[5] = Item(id: 5, name: "another")

    #expect(HeapEstimate.copiedBytes(from: old, to: changed) < 10_000)
  }
}
