import HashTreeCollections
import ImmutableData
import Testing

@testable import DeveloperTools

struct InspectionTests {
  private enum Action {
    case ui(_ action: UI)
    enum UI {
      case onAppear
      case onTap(id: String, isOn: Bool)
    }
  }

  private struct Row: Identifiable, Hashable, Sendable {
    let id: String
    let count: Int
  }

  @Test func `an action is named by its cases, and shows its payload`() {
    let tap = ActionName(Action.ui(.onTap(id: "dog", isOn: true)))
    #expect(tap.cases == "ui.onTap")
    #expect(tap.payload == "id: \"dog\", isOn: true")
    #expect(ActionName(Action.ui(.onAppear)).cases == "ui.onAppear")
  }

  @Test func `what hides or reorders other characters is escaped`() {
    struct Named {
      let name: String
    }
    let name = "\u{202E}evil\u{0}\nline"
    let escaped = #""\u{202e}evil\u{0}\nline""#

    #expect(Inspection.summary(of: name) == escaped)
    #expect(Inspection.summary(of: Named(name: name)) == "Named(name: \(escaped))")
    let action = ActionName(Action.ui(.onTap(id: name, isOn: true)))
    #expect(action.payload == "id: \(escaped), isOn: true")
    #expect(StateDifference(from: [name: 1], to: [name: 2]).paths == [#"/\u{202e}evil\u{0}\nline"#])
  }

  @Test func `rows are listed in key order, a limited number at a time`() {
    var table = Table<Row>()
    for index in 0..<500 {
      table[String(1_000 + index)] = Row(id: "\(1_000 + index)", count: index)
    }

    let inspection = Inspection(table)

    #expect(inspection.count == 500)
    #expect(inspection.parts(100..<103).map(\.label) == ["1100", "1101", "1102"])
    #expect(inspection.parts(499..<600).map(\.label) == ["1499"])
    #expect(inspection.summary == "500 elements")
  }

  @Test func `what is in an optional is inspected as if it were not`() {
    var table = Table<Row>()
    table["dog"] = Row(id: "dog", count: 7)

    // The type is looked at first, and it is the same.
    #expect(Inspection(Table<Row>?.none as Any).isRows == false)
    #expect(Inspection(Optional(table) as Any).isRows)
    #expect(Inspection(Optional(Optional(table)) as Any).parts(0..<1).map(\.label) == ["dog"])
    #expect(Inspection(Optional(7) as Any).count == 0)
    #expect(Inspection(Optional([7]) as Any).allParts.map(\.label) == ["0"])
  }

  @Test func `a struct is summed up with its properties, and not those inside them`() {
    struct Pair {
      let left: Row?
      let right: [Row]
    }
    let row = Row(id: "dog", count: 7)

    #expect(Inspection.summary(of: row) == "Row(id: \"dog\", count: 7)")
    #expect(
      Inspection.summary(of: Pair(left: row, right: [row])) == "Pair(left: Row, right: 1 element)")
    #expect(Inspection.summary(of: Action.ui(.onTap(id: "dog", isOn: true))).hasPrefix(".ui("))
    #expect(Inspection.summary(of: Optional(7) as Any) == "7")
    let long = Row(id: String(repeating: "x", count: 1_000), count: 7)
    #expect(Inspection.summary(of: long).count <= 101)
  }

  @Test(arguments: 40...80)
  func `a struct is summed up in 100 characters, whatever its properties fill`(length: Int) {
    struct Wide {
      let first: String
      let second: Int
      let third: String
    }
    let wide = Wide(first: String(repeating: "é", count: length), second: 7, third: "日本")
    let text = "Wide(first: \"\(wide.first)\", second: 7, third: \"日本\")"

    #expect(
      Inspection.summary(of: wide) == (text.count > 100 ? "\(text.prefix(100))…" : text))
  }

  @Test(arguments: [
    [], ["a"], ["a/b", "c~d"], ["", ""], ["~1", "/~0/"], ["é", "日本"],
  ])
  func `a path survives a round trip through text`(labels: [String]) {
    var path = Path()
    path.labels = labels
    #expect(Path(path.description)?.labels ?? [] == labels)
  }

  @Test func `a path finds a value or nothing`() throws {
    var table = Table<Row>()
    table["x/y"] = Row(id: "x/y", count: 7)
    let state = (rows: table, other: 1)

    let found = Inspection.value(at: try #require(Path("/rows/x~1y/count")), in: state)

    #expect(found as? Int == 7)
    #expect(Inspection.value(at: try #require(Path("/rows/nobody")), in: state) == nil)
    #expect(Path("rows") == nil)
  }
}
