import HTMLTemplates
import Testing

@testable import ImmutableUI

struct RenderedTests {
  private static func row(_ number: Int) -> RenderedRow {
    var writer = HTMLWriter()
    writer.escape("\(number)")
    return RenderedRow(key: "\(number)", writer)
  }

  private static func region(_ rows: [RenderedRow]) -> Rendered {
    var writer = HTMLWriter()
    writer.hole(RenderedList(name: "rows", rows: rows, values: [String]()))
    return Rendered(writer)
  }

  @Test(arguments: [[200], [7, 8, 150], []])
  func `rows that stay the same object are not counted again`(changed: [Int]) {
    let rows = (0..<201).map(Self.row)
    let old = Self.region(rows)
    var newRows = rows
    for position in changed { newRows[position] = Self.row(1_000 + position) }
    let new = Self.region(newRows)

    let sizes = (new.heapSize(notSharedWith: new), new.heapSize(notSharedWith: old))

    #expect(sizes.1 - sizes.0 == changed.reduce(0) { $0 + newRows[$1].heapSize })
  }

  @Test(arguments: [0, 100, 999, 1_000])
  func `a row that comes makes only the groups around it anew`(position: Int) {
    let rows = (0..<1_000).map(Self.row)
    let old = RenderedList(name: "rows", rows: rows, values: [Int]())
    let edit = RenderedList.Edit(replaced: position..<position, rows: [Self.row(2_000)])
    let new = RenderedList(from: old, [edit], values: [Int]())

    let common = new.commonGroups(with: old)
    let changed = new.groups.count - common.start - common.end

    #expect(
      new.rows.map(\.key) == rows[..<position].map(\.key) + ["2000"]
        + rows[position...].map(\.key))
    #expect((1...2).contains(changed))
  }

  @Test func `links to different elements have different tags`() {
    func tags(_ target: String?) -> [ImmutableUI.Tag] {
      var writer = HTMLWriter()
      writer.hole(PerWindowHole.link([], target: target))
      return [Rendered(writer).tag, RenderedRow(key: "a", writer).tag]
    }

    #expect(tags("one") == tags("one"))
    #expect(zip(tags("one"), tags("two")).allSatisfy { $0 != $1 })
  }

  @Test func `without an older version, everything counts`() {
    let new = Self.region((0..<100).map(Self.row))

    #expect(new.heapSize(notSharedWith: nil) == new.heapSize)
  }
}
