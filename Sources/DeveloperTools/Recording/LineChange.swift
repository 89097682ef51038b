/// A line of one text, of another, or of both.
enum LineChange: Hashable, Sendable, CustomStringConvertible {
  case same(String)
  case removed(String)
  case inserted(String)

  var isChanged: Bool { if case .same = self { false } else { true } }

  var description: String {
    switch self {
    case .same(let line): "  \(line)"
    case .removed(let line): "- \(line)"
    case .inserted(let line): "+ \(line)"
    }
  }
}

extension [LineChange] {
  /// The changes that lead from some lines to others.
  ///
  /// - Complexity: O(n d), n lines of which d differ.
  init(from old: [String], to new: [String]) {
    self = []
    let difference = new.difference(from: old)
    var removed: Set<Int> = []
    var inserted: Set<Int> = []
    for change in difference {
      switch change {
      case .remove(let offset, _, _): removed.insert(offset)
      case .insert(let offset, _, _): inserted.insert(offset)
      }
    }
    var (before, after) = (0, 0)
    while before < old.count || after < new.count {
      if removed.contains(before) {
        self.append(.removed(old[before]))
        before += 1
      } else if inserted.contains(after) {
        self.append(.inserted(new[after]))
        after += 1
      } else {
        self.append(.same(new[after]))
        (before, after) = (before + 1, after + 1)
      }
    }
  }

  /// The lines that differ, with two lines around them.
  var withoutMiddles: Self {
    let shown = Set(
      self.indices.filter { self[$0].isChanged }
        .flatMap { Swift.max($0 - 2, 0)...Swift.min($0 + 2, self.count - 1) })
    return self.indices.compactMap { index in
      if shown.contains(index) { return self[index] }
      return shown.contains(index - 1) ? .same("…") : nil
    }
  }
}
