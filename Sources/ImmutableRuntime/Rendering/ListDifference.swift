import ImmutableData
import ImmutableUI

/// The operations that turn one list of rows into another.
///
/// They are applied in order (docs/PROTOCOL.md, Row operations): removed rows, changed rows,
/// inserted rows (from the end, so that the row that each one precedes already exists), and moved
/// rows.
struct ListDifference {
  enum Operation {
    case set(RenderedRow, from: RenderedRow)
    case put(RenderedRow, before: String?)
    case cut(key: String)
    case move(key: String, before: String?)
    case order([String])
  }

  private(set) var operations: [Operation] = []

  /// - Complexity: O(g + m log m), g groups of rows, m rows between those that have changed; O(g + m)
  ///   if none moved. Rows are compared by identity.
  init(from old: RenderedList, to new: RenderedList) {
    let (start, end) = new.commonGroups(with: old)
    func rows(of list: RenderedList) -> [RenderedRow] {
      list.groups.dropFirst(start).dropLast(end).flatMap(\.rows)
    }
    self.init(
      from: rows(of: old), to: rows(of: new), end: new.groups.suffix(end).first?.rows.first?.key)
  }

  /// - Parameter end: The key of the row after both.
  private init(from old: [RenderedRow], to new: [RenderedRow], end: String?) {
    // Most changes affect rows in place, so rows with equal keys at both ends need no look-up.
    var prefix = 0
    while prefix < old.count, prefix < new.count, old[prefix].isSameRow(as: new[prefix]) {
      self.set(old[prefix], new[prefix])
      prefix += 1
    }
    var suffix = 0
    while suffix < old.count - prefix, suffix < new.count - prefix,
      old[old.count - 1 - suffix].isSameRow(as: new[new.count - 1 - suffix])
    {
      self.set(old[old.count - 1 - suffix], new[new.count - 1 - suffix])
      suffix += 1
    }
    let oldMiddle = old[prefix..<(old.count - suffix)]
    let newMiddle = new[prefix..<(new.count - suffix)]
    if oldMiddle.isEmpty, newMiddle.isEmpty { return }
    self.add(oldMiddle, newMiddle, end: suffix > 0 ? new[new.count - suffix].key : end)
  }

  private mutating func set(_ old: RenderedRow, _ new: RenderedRow) {
    if old !== new, old.tag != new.tag {
      self.operations.append(.set(new, from: old))
    }
  }

  private mutating func add(
    _ old: ArraySlice<RenderedRow>,
    _ new: ArraySlice<RenderedRow>,
    end: String?
  ) {
    let newIndices = Dictionary(zip(new.lazy.map(\.exactKey), new.indices)) { first, _ in first }
    var kept: [(key: ExactKey, index: Int)] = []
    for row in old {
      if let index = newIndices[row.exactKey] {
        kept.append((row.exactKey, index))
        self.set(row, new[index])
      } else {
        self.operations.append(.cut(key: row.key))
      }
    }
    let keptKeys = Set(kept.lazy.map(\.key))
    let moved = Self.moved(kept)
    func key(after index: Int) -> String? {
      index + 1 < new.endIndex ? new[index + 1].key : end
    }
    // From the end, so that the row that each one precedes is already in place. Rows that have not
    // moved keep their relative order.
    for index in new.indices.reversed() {
      let row = new[index]
      if keptKeys.contains(row.exactKey) == false {
        self.operations.append(.put(row, before: key(after: index)))
      } else if moved.contains(row.exactKey) {
        self.operations.append(.move(key: row.key, before: key(after: index)))
      }
    }
  }

  /// The smallest set of rows to move: all except a longest increasing subsequence.
  private static func moved(_ kept: [(key: ExactKey, index: Int)]) -> Set<ExactKey> {
    var moved = Set(kept.lazy.map(\.key))
    for position in kept.map(\.index).indicesOfLongestIncrease {
      moved.remove(kept[position].key)
    }
    return moved
  }

  /// Replaces many moves with a single new order if that is shorter.
  mutating func shortenMoves(to list: RenderedList) {
    let moves = self.operations.lazy.filter { if case .move = $0 { true } else { false } }
    guard moves.count * 2 > list.count else { return }
    self.operations.removeAll { if case .move = $0 { true } else { false } }
    self.operations.append(.order(list.rows.map(\.key)))
  }
}

extension RenderedRow {
  /// Whether both are renders of one row. A row that has not changed is the same object, so its key
  /// need not be compared.
  fileprivate func isSameRow(as other: RenderedRow) -> Bool {
    self === other || self.exactKey == other.exactKey
  }

  fileprivate var exactKey: ExactKey { ExactKey(text: self.key) }
}

/// A key that is compared as a browser does it. Strings with the same characters in different Unicode
/// forms are equal in Swift, but not in JavaScript.
private struct ExactKey: Hashable {
  let text: String

  static func == (key: Self, other: Self) -> Bool {
    key.text.utf8.elementsEqual(other.text.utf8)
  }
}
