import TestSupport
import Testing

@testable import DeveloperTools

struct LineChangeTests {
  @Test(
    arguments: [
      ("", "", []),
      ("a", "a", ["  a"]),
      ("a", "b", ["- a", "+ b"]),
      ("", "a b", ["+ a", "+ b"]),
      ("a b", "", ["- a", "- b"]),
      ("a x b y a", "a x c y a", ["  a", "  x", "- b", "+ c", "  y", "  a"]),
      ("a b b c", "a b c", ["  a", "  b", "- b", "  c"]),
      ("a b c d", "b c d a", ["- a", "  b", "  c", "  d", "+ a"]),
      ("a > b >", "a > x > b >", ["  a", "  >", "+ x", "+ >", "  b", "  >"]),
    ] as [(String, String, [String])])
  func `lines that differ are marked`(old: String, new: String, changes: [String]) {
    let result = [LineChange](from: Self.words(old), to: Self.words(new))

    #expect(result.map(\.description) == changes)
  }

  @Test(arguments: [0, 1, 2, 3, 4, 5, 6, 7] as [UInt64])
  func `changes lead from the old lines to the new ones`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for count in [3, 30, 300, 3_000] {
      for kinds in [2, 20, 20_000] {
        let old = (0..<count).map { _ in "\(Int.random(in: 0..<kinds, using: &random))" }
        var new = old
        for _ in 0..<Int.random(in: 0...(count / 3), using: &random) {
          let line = "\(Int.random(in: 0..<kinds, using: &random))"
          switch Int.random(in: 0..<3, using: &random) {
          case 0: new.insert(line, at: Int.random(in: 0...new.count, using: &random))
          case 1 where new.isEmpty == false: new.removeLast()
          default: if new.isEmpty == false { new[new.count / 2] = line }
          }
        }

        let changes = [LineChange](from: old, to: new)

        #expect(changes.compactMap(\.oldLine) == old)
        #expect(changes.compactMap(\.newLine) == new)
      }
    }
  }

  /// It took a time and memory that grew with the square of their number.
  @Test(.timeLimit(.minutes(5)))
  func `a hundred thousand lines that all differ are compared`() {
    let old = (0..<100_000).map { "old \($0)" }
    let new = (0..<100_000).map { "new \($0)" }

    let changes = [LineChange](from: old, to: new)

    #expect(changes == old.map(LineChange.removed) + new.map(LineChange.inserted))
  }

  @Test func `each of many rows that differ is shown beside its old version`() {
    func lines(_ text: String) -> [String] {
      (0..<10_000).flatMap { ["<li data-key=\"\($0)\">", "\(text) \($0)", "</li>"] }
    }

    let changes = [LineChange](from: lines("old"), to: lines("new"))

    #expect(changes.count == 40_000)
    #expect(
      changes[4..<8].map(\.description) == [
        "  <li data-key=\"1\">", "- old 1", "+ new 1", "  </li>",
      ])
  }

  private static func words(_ text: String) -> [String] {
    text.split(separator: " ").map(String.init)
  }
}

extension LineChange {
  fileprivate var oldLine: String? {
    switch self {
    case .same(let line), .removed(let line): line
    case .inserted: nil
    }
  }

  fileprivate var newLine: String? {
    switch self {
    case .same(let line), .inserted(let line): line
    case .removed: nil
    }
  }
}
