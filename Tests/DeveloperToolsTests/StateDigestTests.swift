import Foundation
import HashTreeCollections
import ImmutableData
import TestSupport
import Testing

@testable import DeveloperTools

struct StateDigestTests {
  private struct Row: Identifiable, Hashable, Sendable, ComparedInPart {
    static let uncomparedParts: Set<String> = ["depth"]

    let id: String
    var name = ""
    var height = 0.0
    var weight: Double?
    var depth = 0

    static func == (lhs: Self, rhs: Self) -> Bool {
      lhs.id == rhs.id && lhs.name == rhs.name && lhs.height == rhs.height
        && lhs.weight == rhs.weight
    }

    func hash(into hasher: inout Hasher) { hasher.combine(self.id) }
  }

  private struct State: Hashable, Sendable {
    var table = Table<Row>()
    var plain: TreeDictionary<String, String> = [:]
    var names: [String: Double] = [:]
    var list: [Row] = []
    var texts: [String?]?
    var note: String?
    var height = 0.0
    var data = Data()
  }

  private static let texts = ["", "nil", "-0.0", "0.0", "\u{E9}", "e\u{301}", "e"]

  private static func change(_ state: inout State, _ source: inout SeededGenerator) {
    func text() -> String { Self.texts.randomElement(using: &source) ?? "" }
    func number() -> Double { [0, -0.0, 1].randomElement(using: &source) ?? 0 }
    func row() -> Row {
      Row(
        id: text(), name: text(), height: number(),
        weight: Bool.random(using: &source) ? nil : number(),
        depth: Int.random(in: 0..<2, using: &source))
    }
    let id = text()
    switch Int.random(in: 0..<14, using: &source) {
    case 0: state.table[id] = nil
    case 1: state.plain[id] = text()
    case 2: state.plain[id] = nil
    case 3: state.names[id] = number()
    case 4: state.note = Bool.random(using: &source) ? nil : text()
    case 5: state.height = number()
    case 6: state.data = Data(text().utf8)
    case 7 where state.list.count < 3:
      state.list.insert(row(), at: Int.random(in: 0...state.list.count, using: &source))
    case 8: state.list.indices.randomElement(using: &source).map { state.list[$0] = row() }
    case 9: _ = state.list.indices.randomElement(using: &source).map { state.list.remove(at: $0) }
    case 10 where (state.texts ?? []).count < 3:
      state.texts = (state.texts ?? []) + [Bool.random(using: &source) ? nil : text()]
    case 11:
      let texts = state.texts.map { Array($0.dropLast()) }
      state.texts = state.texts?.isEmpty == true ? nil : texts
    default:
      let row = row()
      state.table[row.id] = row
    }
  }

  /// Rows that are equal are the same to a table, whatever their bytes.
  @Test(arguments: [1, 2, UInt64.random(in: 0...UInt64.max)])
  func `states have the same digest if they are equal, however it was computed`(seed: UInt64) {
    var source = SeededGenerator(seed: seed)
    var states = [State()]
    for _ in 0..<60 {
      var state = states.last ?? State()
      for _ in 0..<Int.random(in: 1...3, using: &source) { Self.change(&state, &source) }
      states.append(state)
    }

    for old in states {
      for new in states {
        var digest = StateDigest(of: old)
        digest.follow(from: old, to: new)
        #expect(digest == StateDigest(of: new), "seed \(seed): \(old) \(new)")
        #expect((digest == StateDigest(of: old)) == (new == old), "seed \(seed): \(old) \(new)")
      }
    }
  }

  @Test(arguments: [(nil, "nil"), ("-0.0", "0.0"), ("", nil)] as [(String?, String?)])
  func `texts that only look the same have different digests`(one: String?, other: String?) {
    #expect(StateDigest(of: State(note: one)) != StateDigest(of: State(note: other)))
  }
}
