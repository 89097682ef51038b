import HTMLTemplates
import TestSupport
import Testing

@testable import ImmutableRuntime
@testable import ImmutableUI

/// Applies operations to keys and contents, as a browser does.
private func apply(
  _ operations: [ListDifference.Operation],
  to rows: [RenderedRow]
) -> [(key: String, bytes: [UInt8])] {
  var result = rows.map { (key: $0.key, bytes: $0.bytes) }
  func index(before key: String?) -> Int {
    key.map { key in result.firstIndex { $0.key == key } ?? -1 } ?? result.count
  }
  for operation in operations {
    switch operation {
    case .set(let row, _): result[index(before: row.key)].bytes = row.bytes
    case .put(let row, let before):
      result.insert((row.key, row.bytes), at: index(before: before))
    case .cut(let key): result.remove(at: index(before: key))
    case .move(let key, let before):
      let row = result.remove(at: index(before: key))
      result.insert(row, at: index(before: before))
    case .order(let keys):
      result = keys.map { key in result[index(before: key)] }
    }
  }
  return result
}

private func row(_ key: Int, _ content: Int = 0) -> RenderedRow {
  var writer = HTMLWriter()
  writer.escape("\(key):\(content)")
  return RenderedRow(key: "\(key)", writer)
}

private func list(_ rows: [RenderedRow]) -> RenderedList {
  RenderedList(name: "rows", rows: rows, values: [Int]())
}

struct ListDifferenceTests {
  @Test func `equal lists need no operations`() {
    let rows = (0..<10).map { row($0) }

    #expect(ListDifference(from: list(rows), to: list(rows)).operations.isEmpty)
  }

  @Test func `one changed row is one operation`() {
    let rows = (0..<10_000).map { row($0) }
    var changed = rows
    changed[5_000] = row(5_000, 1)

    let operations = ListDifference(from: list(rows), to: list(changed)).operations

    #expect(operations.count == 1)
    #expect(apply(operations, to: rows).map(\.bytes) == changed.map(\.bytes))
  }

  @Test func `one moved row is one operation`() {
    let rows = (0..<100).map { row($0) }
    var moved = rows
    moved.insert(moved.remove(at: 90), at: 10)

    let operations = ListDifference(from: list(rows), to: list(moved)).operations

    #expect(operations.count == 1)
    #expect(apply(operations, to: rows).map(\.key) == moved.map(\.key))
  }

  @Test func `a reversal is one new order`() {
    let rows = (0..<100).map { row($0) }
    let reversed = Array(rows.reversed())

    var difference = ListDifference(from: list(rows), to: list(reversed))
    difference.shortenMoves(to: list(reversed))

    #expect(difference.operations.count == 1)
    #expect(apply(difference.operations, to: rows).map(\.key) == reversed.map(\.key))
  }

  @Test(arguments: [["\u{E9}", "K"], ["K", "\u{E9}", "A"]])
  func `keys in different Unicode forms are different rows, as in a browser`(keys: [String]) {
    let decomposed = keys.map { $0 == "\u{E9}" ? "e\u{301}" : $0 == "K" ? "\u{212A}" : $0 }
    let rows = { (keys: [String]) in keys.map { RenderedRow(key: $0, HTMLWriter()) } }
    let bytes = { (keys: [String]) in keys.map { Array($0.utf8) } }

    let operations = ListDifference(from: list(rows(keys)), to: list(rows(decomposed))).operations

    let cut = operations.compactMap { if case .cut(let key) = $0 { key } else { nil } }
    let put = operations.compactMap { if case .put(let row, _) = $0 { row.key } else { nil } }
    #expect(Set(bytes(cut)) == Set(bytes(keys)).subtracting(bytes(decomposed)))
    #expect(Set(bytes(put)) == Set(bytes(decomposed)).subtracting(bytes(keys)))
  }

  @Test func `operations turn any list into any other`() {
    let seed = UInt64.random(in: 0...UInt64.max)
    print("seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    var rows: [RenderedRow] = []

    for _ in 0..<2_000 {
      var next = rows.filter { _ in Int.random(in: 0..<4, using: &generator) > 0 }
      let count = Int.random(in: 0..<8, using: &generator)
      for _ in 0..<count {
        let key = Int.random(in: 0..<40, using: &generator)
        if next.contains(where: { $0.key == "\(key)" }) == false {
          next.insert(row(key), at: Int.random(in: 0...next.count, using: &generator))
        }
      }
      if Int.random(in: 0..<3, using: &generator) == 0 { next.shuffle(using: &generator) }
      for index in next.indices where Int.random(in: 0..<5, using: &generator) == 0 {
        next[index] = row(Int(next[index].key) ?? 0, Int.random(in: 0..<9, using: &generator))
      }

      var difference = ListDifference(from: list(rows), to: list(next))
      #expect(apply(difference.operations, to: rows).map(\.bytes) == next.map(\.bytes))
      difference.shortenMoves(to: list(next))
      let result = apply(difference.operations, to: rows)

      #expect(result.map(\.key) == next.map(\.key))
      #expect(result.map(\.bytes) == next.map(\.bytes))
      rows = next
    }
  }
}
