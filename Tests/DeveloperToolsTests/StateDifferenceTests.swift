import HashTreeCollections
import ImmutableData
import TestSupport
import Testing

@testable import DeveloperTools

struct StateDifferenceTests {
  struct Row: Identifiable, Hashable, Sendable {
    let id: Int
    var name: String
  }

  struct State: Sendable {
    var table = Table<Row>()
    var plain: TreeDictionary<String, Int> = [:]
    var isOpen = false
    var note: String?
    var list: [Int] = []
  }

  /// What a state consists of, by path.
  private func leaves(of state: State) -> [String: String] {
    var leaves = ["/isOpen": "\(state.isOpen)", "/note": state.note.map { "\"\($0)\"" } ?? "nil"]
    for row in state.table.rows.values { leaves["/table/\(row.id)/name"] = "\"\(row.name)\"" }
    for (key, value) in state.plain { leaves["/plain/\(key)"] = "\(value)" }
    return leaves
  }

  @Test(arguments: [1, 2, UInt64.random(in: 0...UInt64.max)])
  func `a difference names exactly what has changed`(seed: UInt64) {
    var source = SeededGenerator(seed: seed)
    var state = State()
    for id in 0..<50 { state.table[id] = Row(id: id, name: "row \(id)") }
    for round in 0..<200 {
      let old = state
      for _ in 0..<Int.random(in: 0...4, using: &source) {
        let id = Int.random(in: 0..<60, using: &source)
        switch Int.random(in: 0..<6, using: &source) {
        case 0: state.table[id] = Row(id: id, name: "changed in \(round)")
        case 1: state.table[id] = nil
        case 2: state.plain["\(id)"] = round
        case 3: state.plain["\(id)"] = nil
        case 4: state.isOpen.toggle()
        default: state.note = Bool.random(using: &source) ? nil : "\(round)"
        }
      }
      self.expectDifference(from: old, to: state, "seed \(seed), round \(round)")
    }
  }

  @Test func `equal texts with different bytes differ`() {
    let difference = StateDifference(from: State(note: "\u{E9}"), to: State(note: "e\u{301}"))

    #expect(difference.paths == ["/note"])
  }

  @Test(arguments: [1, 2, UInt64.random(in: 0...UInt64.max)])
  func `a difference of any two versions names exactly what differs`(seed: UInt64) {
    var source = SeededGenerator(seed: seed)
    var state = State()
    for id in 0..<50 { state.table[id] = Row(id: id, name: "row \(id)") }
    var versions = [state]
    for round in 0..<100 {
      let id = Int.random(in: 0..<60, using: &source)
      switch Int.random(in: 0..<4, using: &source) {
      case 0: state.table[id] = nil
      case 1: state.note = Bool.random(using: &source) ? nil : "\(round)"
      // Sometimes it has the same name again.
      default: state.table[id] = Row(id: id, name: "row \(id + round % 3)")
      }
      versions.append(state)
    }

    for _ in 0..<200 {
      let old = Int.random(in: 0..<versions.count, using: &source)
      let new = Int.random(in: 0..<versions.count, using: &source)
      self.expectDifference(
        from: versions[old], to: versions[new], "seed \(seed), from \(old) to \(new)")
    }
  }

  /// Compares the difference with one that is found part by part, without shared structure.
  private func expectDifference(from old: State, to state: State, _ comment: Comment) {
    let (before, after) = (self.leaves(of: old), self.leaves(of: state))

    let changes = StateDifference(from: old, to: state).changes

    // A row that comes or goes is one change.
    let expected = Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }
      .map { path in
        path.hasPrefix("/table/") && (before[path] == nil || after[path] == nil)
          ? String(path.dropLast("/name".count)) : path
      }
    #expect(changes.map(\.path).sorted() == expected.sorted(), comment)
    for change in changes where change.path.hasSuffix("/name") || change.path == "/note" {
      #expect(change.old == before[change.path], comment)
      #expect(change.new == after[change.path], comment)
    }
  }

  @Test func `equal states have no differences`() {
    #expect(StateDifference(from: State(), to: State()).changes.isEmpty)
  }

  @Test func `a changed list is reported element by element`() {
    var (old, new) = (State(), State())
    (old.list, new.list) = ([1, 2, 3], [1, 5, 3])
    #expect(
      StateDifference(from: old, to: new).changes
        == [StateDifference.Change(path: "/list/1", old: "2", new: "5")])
  }

  @Test(arguments: [1, 63, 64, 65, 128, 200])
  func `each changed element of a long list is reported`(count: Int) {
    var (old, new) = (State(), State())
    old.list = Array(0..<count)
    for position in 0..<count {
      new.list = old.list
      new.list[position] = -1
      #expect(StateDifference(from: old, to: new).paths == ["/list/\(position)"])
    }
  }

  @Test func `the first changes are listed, and the rest counted`() {
    var new = State()
    for id in 0..<250 { new.table[id] = Row(id: id, name: "") }

    let difference = StateDifference(from: State(), to: new)

    #expect(difference.changes.count == StateDifference.limit)
    #expect(difference.furtherCount == 250 - StateDifference.limit)
  }
}
