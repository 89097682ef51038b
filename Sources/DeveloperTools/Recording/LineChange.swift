import ImmutableData

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
  /// The maximum number of lines between two landmarks that are compared with one another. More count
  /// as different.
  private static var comparedLimit: Int { 500 }

  /// Changes that lead from some lines to others: few, but not always as few as possible.
  ///
  /// - Complexity: O(n log n), n lines.
  ///
  /// Source: Bram Cohen, Patience Diff.
  init(from old: [String], to new: [String]) {
    self = []
    self.add(from: old[...], to: new[...]) { changes, old, new in
      var (before, after) = (old.startIndex, new.startIndex)
      let ends = Self.landmarks(in: old, and: new) + [(old: old.endIndex, new: new.endIndex)]
      for (oldEnd, newEnd) in ends {
        changes.add(from: old[before..<oldEnd], to: new[after..<newEnd]) {
          $0.addDifference(from: $1, to: $2)
        }
        (before, after) = (oldEnd, newEnd)
      }
    }
  }

  /// Adds the lines that are the same at the beginning and at the end.
  ///
  /// - Parameter middle: Adds those between them.
  private mutating func add(
    from old: ArraySlice<String>,
    to new: ArraySlice<String>,
    middle: (inout Self, ArraySlice<String>, ArraySlice<String>) -> Void
  ) {
    let start = zip(old, new).prefix { $0 == $1 }.count
    let (oldRest, newRest) = (old.dropFirst(start), new.dropFirst(start))
    let end = zip(oldRest.reversed(), newRest.reversed()).prefix { $0 == $1 }.count
    self += new.prefix(start).map(LineChange.same)
    middle(&self, oldRest.dropLast(end), newRest.dropLast(end))
    self += newRest.suffix(end).map(LineChange.same)
  }

  /// Where the lines are that both have exactly once, without those that moved.
  private static func landmarks(
    in old: ArraySlice<String>,
    and new: ArraySlice<String>
  ) -> [(old: Int, new: Int)] {
    let (oldIndices, newIndices) = (self.singleLines(of: old), self.singleLines(of: new))
    let common = old.indices.compactMap { index -> (old: Int, new: Int)? in
      let line = old[index]
      guard oldIndices[line] != nil, let newIndex = newIndices[line] else { return nil }
      return (index, newIndex)
    }
    return common.map(\.new).indicesOfLongestIncrease.map { common[$0] }
  }

  /// The indices of the lines that come once.
  private static func singleLines(of lines: ArraySlice<String>) -> [String: Int] {
    let indices = lines.indices.map { (lines[$0], Optional($0)) }
    return Dictionary(indices) { _, _ in nil }.compactMapValues(\.self)
  }

  private mutating func addDifference(from old: ArraySlice<String>, to new: ArraySlice<String>) {
    guard old.count + new.count <= Self.comparedLimit else {
      self += old.map(LineChange.removed)
      self += new.map(LineChange.inserted)
      return
    }
    let (old, new) = ([String](old), [String](new))
    var removed: Set<Int> = []
    var inserted: Set<Int> = []
    for change in new.difference(from: old) {
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
