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
