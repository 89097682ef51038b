/// HTML in lines: one for each tag, and one for each text.
struct HTMLLines {
  let lines: [String]

  init(_ html: String) {
    var lines: [String] = []
    var line = ""
    func end() {
      let text = line.trimmingSpaces
      if text.isEmpty == false { lines.append(text) }
      line = ""
    }
    for character in html {
      if character == "<" { end() }
      line.append(character)
      if character == ">" { end() }
    }
    end()
    self.lines = lines
  }

  /// A line of one HTML, of the other, or of both.
  enum Change: Hashable, Sendable {
    case same(String)
    case removed(String)
    case inserted(String)
  }

  /// The changes that lead from older lines to these.
  ///
  /// - Complexity: O(n d), n lines of which d differ.
  func changes(from old: Self) -> [Change] {
    let difference = self.lines.difference(from: old.lines)
    var removed: Set<Int> = []
    var inserted: Set<Int> = []
    for change in difference {
      switch change {
      case .remove(let offset, _, _): removed.insert(offset)
      case .insert(let offset, _, _): inserted.insert(offset)
      }
    }
    var changes: [Change] = []
    var (before, after) = (0, 0)
    while before < old.lines.count || after < self.lines.count {
      if removed.contains(before) {
        changes.append(.removed(old.lines[before]))
        before += 1
      } else if inserted.contains(after) {
        changes.append(.inserted(self.lines[after]))
        after += 1
      } else {
        changes.append(.same(self.lines[after]))
        (before, after) = (before + 1, after + 1)
      }
    }
    return changes
  }
}

extension String {
  fileprivate var trimmingSpaces: String {
    let start = self.prefix { $0.isWhitespace }.endIndex
    let end = self.reversed().prefix { $0.isWhitespace }.count
    return start == self.endIndex ? "" : String(self[start...].dropLast(end))
  }
}
