import Foundation
import Testing

@testable import ImmutableData

private struct Row: Hashable, Identifiable {
  let key: Int
  let name: String
  var id: String { self.name }

  init(_ key: Int, _ name: String) {
    self.key = key
    self.name = name
  }
}

struct SequenceSortingTests {
  private let rows = [Row(2, "c"), Row(1, "e"), Row(2, "a"), Row(3, "d"), Row(1, "b")]

  @Test func `elements ascend, and equal ones by their id`() {
    let sorted = self.rows.sorted(by: \.key, .forward)

    #expect(sorted == [Row(1, "b"), Row(1, "e"), Row(2, "a"), Row(2, "c"), Row(3, "d")])
  }

  @Test func `elements descend, and equal ones still ascend by their id`() {
    let sorted = self.rows.sorted(by: \.key, .reverse)

    #expect(sorted == [Row(3, "d"), Row(2, "a"), Row(2, "c"), Row(1, "b"), Row(1, "e")])
  }

  @Test(arguments: [SortOrder.forward, .reverse])
  func `equal elements are sorted the same regardless of their input order`(order: SortOrder) {
    let rows = (0..<1_000).map { Row(0, "\($0)") }

    #expect(rows.shuffled().sorted(by: \.key, order) == rows.sorted { $0.id < $1.id })
  }

  @Test(arguments: [SortOrder.forward, .reverse])
  func `sorting nothing gives nothing`(order: SortOrder) {
    #expect([Row]().sorted(by: \.key, order).isEmpty)
  }

  @Test(arguments: [SortOrder.forward, .reverse])
  func `any sequence can be sorted`(order: SortOrder) {
    let sorted = self.rows.lazy.filter { $0.key != 2 }.sorted(by: \.name, order)

    let expected = [Row(1, "b"), Row(3, "d"), Row(1, "e")]
    #expect(sorted == (order == .forward ? expected : expected.reversed()))
  }
}
