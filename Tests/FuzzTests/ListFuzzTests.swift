import HTMLTemplates
import HashTreeCollections
import ImmutableData
import TestSupport
import Testing

@testable import ImmutableRuntime
@testable import ImmutableUI

/// Lists of rows: those that a change leaves out are equal, and the operations that are sent turn the old list into
/// the new one.
struct ListFuzzTests {
  private struct Item: Hashable, Identifiable, Sendable {
    let id: Int
    let name: String
  }

  /// A row that depends on the rows around it.
  private struct Row: Hashable, Identifiable, Sendable {
    let item: Item
    let isMarked: Bool
    let number: Int
    let neighbors: [Item.ID?]

    var id: Int { self.item.id }
  }

  private typealias Rows = ListRows<Item, Row>

  /// A sorted table with a part of it that is shown.
  private struct List {
    var table = Table<Item>()
    var sorted = SortedRows<Item>(by: RowOrder(\.name))
    var marked: TreeSet<Int> = []
    /// By id; `nil` if the rows have none.
    var numbers: [Int: Int]?
    var start = 0
    var size = 0

    func rows(reach: Int) -> Rows {
      let part = ListPart(from: self.start, of: self.sorted.count, size: self.size)
      let numbers = self.numbers.map { numbers in
        part.range.map { numbers[self.sorted[$0].id] ?? 0 }
      }
      return ListRows(
        part, of: self.sorted, marked: self.marked, numbered: numbers ?? [], reach: reach,
        capturing: reach
      ) { row in
        Row(
          item: row.source,
          isMarked: row.isMarked,
          number: row.number,
          neighbors: reach == 0 ? [] : [-reach, -1, 1, reach].map { row[$0]?.id }
        )
      }
    }

    mutating func change(_ count: Int, using generator: inout SeededGenerator) {
      let old = self.table
      for _ in 0..<Int.random(in: 0...generator.pick([0, 1, 2, count]), using: &generator) {
        let id = Int.random(in: 0..<count, using: &generator)
        let name = "\(Int.random(in: 0..<(2 * count), using: &generator))"
        self.table[id] = generator.once(in: 3) ? nil : Item(id: id, name: name)
      }
      self.sorted.follow(self.table.difference(from: old))
      for id in generator.some(Array(0..<count), 0...2) {
        if self.marked.remove(id) == nil { self.marked.insert(id) }
      }
      for id in generator.some(Array(0..<count), 0...2) {
        self.numbers?[id] = Int.random(in: 0...2, using: &generator)
      }
      if generator.once(in: 20) { self.numbers = self.numbers == nil ? [:] : nil }
      if generator.once(in: 3) { self.start = Int.random(in: 0...count / 2, using: &generator) }
      if generator.once(in: 4) { self.size = Int.random(in: 0...count, using: &generator) }
    }
  }

  @Test func `a change of a list leaves out only equal rows`() async throws {
    try await Fuzzing.run("lists", few: 1_000) { generator in
      // Some are so long that they are kept in several pieces.
      let count = generator.once(in: 50) ? 1_500 : 30
      let reach = generator.pick([0, 0, 1, 2])
      var list = List()
      for id in 0..<count where generator.once(in: 2) {
        list.table[id] = Item(id: id, name: "\(Int.random(in: 0..<count, using: &generator))")
      }
      list.sorted.insert(all: list.table.rows.values)
      list.size = generator.pick([0, 3, count / 2, count])
      if generator.once(in: 2) { list.numbers = [:] }
      var positions = RowPositions<Int>()
      var old = list.rows(reach: reach)

      for _ in 0..<4 {
        list.change(count, using: &generator)
        let new = list.rows(reach: reach)
        try Self.check(old, new, positions)
        (old, positions) = (new, RowPositions())
      }
    }
  }

  @Test func `a list that follows its changes has the tags of one that is built anew`()
    async throws
  {
    let template = TemplateLibrary(
      sources: ["Row": "<li>{{name}} {{isMarked}} {{number}} {{around}}</li>"])
    let slots = Slots<Row>([
      .text("name") { $0.item.name }, .text("isMarked") { "\($0.isMarked)" },
      .text("number") { $0.number },
      .text("around") { "\($0.neighbors)" },
    ])
    let program = try template.compile("Row", slots)
    try await Fuzzing.run("tags of lists", few: 500) { generator in
      // Of some, the rows are in several blocks.
      let count = generator.pick([10, 40, 150])
      let reach = generator.pick([0, 0, 1])
      var (list, previous) = (List(), Rendered?.none)
      list.size = generator.pick([count / 2, count])
      if generator.once(in: 2) { list.numbers = [:] }

      for _ in 0..<5 {
        list.change(count, using: &generator)
        let rows = list.rows(reach: reach)
        let followed = Context(previous: previous).render("rows", rows, program)
        let fresh = Context(previous: nil).render("rows", rows, program)

        guard followed.rows.map(\.bytes) == fresh.rows.map(\.bytes), followed.tag == fresh.tag,
          followed.groups.map(\.tag) == fresh.groups.map(\.tag), followed.size == fresh.size
        else {
          throw Finding(
            "\(followed.tag) of \(followed.size) bytes is not \(fresh.tag) of \(fresh.size)",
            "\(rows.all)")
        }
        var writer = HTMLWriter()
        writer.hole(followed)
        previous = Rendered(writer)
      }
    }
  }

  private static func check(_ old: Rows, _ new: Rows, _ positions: RowPositions<Int>) throws {
    let (oldRows, newRows) = (old.all, new.all)
    let change = new.change(from: old, positions)
    var result: [Row?] = oldRows
    result.removeLast(change.removedLast)
    result.replaceSubrange(change.replaced, with: change.replacing.map { newRows[$0] })
    for (before, after) in change.changed {
      guard result[after] == oldRows[before] else {
        throw Finding("position \(before) is not \(after) in \(change)", "")
      }
      result[after] = newRows[after]
    }
    result += newRows.suffix(change.addedLast).map { $0 }
    guard result == newRows else {
      throw Finding("\(change) does not make \(newRows) of \(oldRows)", "")
    }
  }

  @Test func `of an array, exactly the rows are rendered that are not in the old one`()
    async throws
  {
    let template = TemplateLibrary(sources: ["Row": "<li>{{name}}</li>"])
    let program = try template.compile("Row", Slots<Item>([.text("name") { $0.name }]))
    try await Fuzzing.run("arrays of rows", few: 1_000) { generator in
      var (items, previous): ([Item], Rendered?) = ([], nil)
      for _ in 0..<6 {
        for _ in 0..<Int.random(in: 0..<4, using: &generator) {
          // Some repeat an id.
          let name = "\(Int.random(in: 0..<3, using: &generator))"
          let item = Item(id: Int.random(in: 0..<20, using: &generator), name: name)
          items.insert(item, at: Int.random(in: 0...items.count, using: &generator))
        }
        items = items.filter { _ in generator.once(in: 6) == false }
        for index in items.indices where generator.once(in: 8) {
          items[index] = Item(id: items[index].id, name: "changed")
        }
        if generator.once(in: 6) { items.shuffle(using: &generator) }
        let context = Context(previous: previous)

        let list = context.render("rows", items, program)

        let old = previous?.lists.first?.rows ?? []
        var ids: Set<Int> = []
        let shown = items.filter { ids.insert($0.id).inserted }
        let expected = shown.map { "\($0.id):<li>\($0.name)</li>" }
        let texts = list.rows.map { "\($0.key):\(String(decoding: $0.bytes, as: UTF8.self))" }
        let kept = list.rows.count { row in old.contains { $0 === row } }
        let oldTexts = old.map { "\($0.key):\(String(decoding: $0.bytes, as: UTF8.self))" }
        guard texts == expected, kept == Set(expected).intersection(oldTexts).count,
          context.counters.rowRenders.value == shown.count - kept
        else { throw Finding("\(texts), \(kept) kept of \(oldTexts)", "\(items)") }
        var writer = HTMLWriter()
        writer.hole(list)
        previous = Rendered(writer)
      }
    }
  }

  private final class Context: RenderContext {
    let counters = FrameCounters()
    let previous: Rendered?

    init(previous: Rendered?) { self.previous = previous }

    var templates: TemplateSet { preconditionFailure("rows have no components") }
  }

  @Test func `operations turn any list into any other`() async throws {
    try await Fuzzing.run("list operations", few: 1_000) { generator in
      var rows: [RenderedRow] = []
      for _ in 0..<4 {
        var next = rows.filter { _ in generator.once(in: 4) == false }
        for _ in 0..<Int.random(in: 0..<8, using: &generator) {
          let key = Int.random(in: 0..<40, using: &generator)
          guard next.contains(where: { $0.key == "\(key)" }) == false else { continue }
          next.insert(Self.row(key, 0), at: Int.random(in: 0...next.count, using: &generator))
        }
        if generator.once(in: 3) { next.shuffle(using: &generator) }
        for index in next.indices where generator.once(in: 5) {
          let content = Int.random(in: 1..<9, using: &generator)
          next[index] = Self.row(Int(next[index].key) ?? 0, content)
        }
        let list = Self.list(next)
        var difference = ListDifference(from: Self.list(rows), to: list)
        for isShortened in [false, true] {
          if isShortened { difference.shortenMoves(to: list) }
          let result = try Self.apply(difference.operations, to: rows)
          guard result.map(\.key) == next.map(\.key), result.map(\.bytes) == next.map(\.bytes)
          else {
            throw Finding("\(difference.operations) of \(rows.map(\.key))", "\(next.map(\.key))")
          }
        }
        rows = next
      }
    }
  }

  @Test func `a list that follows changes is the list of its rows`() async throws {
    try await Fuzzing.run("groups of rows", few: 1_000) { generator in
      var list = Self.list((0..<Int.random(in: 0...80, using: &generator)).map { Self.row($0, 0) })
      var keys = list.count
      for _ in 0..<4 {
        let old = list
        var (edits, rows, next): ([RenderedList.Edit], [RenderedRow], Int) = ([], [], 0)
        for _ in 0..<Int.random(in: 0...4, using: &generator) {
          let start = Int.random(in: next...old.count, using: &generator)
          let end = min(start + Int.random(in: 0...20, using: &generator), old.count)
          let added = (0..<Int.random(in: 0...20, using: &generator)).map { Self.row(keys + $0, 0) }
          keys += added.count
          edits.append(RenderedList.Edit(replaced: start..<end, rows: added))
          rows += old.rows[next..<start] + added
          next = end
        }
        rows += old.rows[next...]
        list = RenderedList(from: old, edits, values: [Int]())

        let fresh = Self.list(rows)
        guard list.rows.map(ObjectIdentifier.init) == rows.map(ObjectIdentifier.init),
          (0..<rows.count).allSatisfy({ list[$0] === rows[$0] }), list.count == rows.count,
          list.tag == fresh.tag, list.groups.map(\.tag) == fresh.groups.map(\.tag),
          list.size == fresh.size, list.heapSize == fresh.heapSize
        else {
          throw Finding("\(edits.map(\.replaced)) of \(old.count) rows", "\(rows.count) rows")
        }
        let operations = ListDifference(from: old, to: list).operations
        let result = try Self.apply(operations, to: old.rows)
        guard result.map(\.bytes) == rows.map(\.bytes) else {
          throw Finding("\(operations) of \(old.count) rows", "\(rows.count) rows")
        }
      }
    }
  }

  private static func list(_ rows: [RenderedRow]) -> RenderedList {
    RenderedList(name: "rows", rows: rows, values: [Int]())
  }

  private static func row(_ key: Int, _ content: Int) -> RenderedRow {
    var writer = HTMLWriter()
    writer.escape("\(key):\(content)")
    return RenderedRow(key: "\(key)", writer)
  }

  /// Applies operations as a browser does.
  private static func apply(
    _ operations: [ListDifference.Operation],
    to rows: [RenderedRow]
  ) throws -> [RenderedRow] {
    var result = rows
    func index(of key: String) throws -> Int {
      guard let index = result.firstIndex(where: { $0.key == key }) else {
        throw Finding("there is no row", key)
      }
      return index
    }
    func index(before key: String?) throws -> Int { try key.map(index) ?? result.count }
    for operation in operations {
      switch operation {
      case .set(let row, _): result[try index(of: row.key)] = row
      case .put(let row, let before): result.insert(row, at: try index(before: before))
      case .cut(let key): result.remove(at: try index(of: key))
      case .move(let key, let before):
        let row = result.remove(at: try index(of: key))
        result.insert(row, at: try index(before: before))
      case .order(let keys): result = try keys.map { result[try index(of: $0)] }
      }
    }
    return result
  }
}

extension ListRows {
  fileprivate var all: [Row] { (0..<self.count).map { self.row(at: $0) } }
}
