/// What differs between two values of one type: the paths of what is not equal.
///
/// Tables are compared by the structure that they share (`Table.difference`), everything else part by part.
struct StateDifference: Sendable {
  struct Change: Hashable, Sendable {
    let path: String
    /// `nil`: it was not there.
    let old: String?
    /// `nil`: it is no longer there.
    let new: String?
  }

  /// At most so many.
  static let limit = 100

  private(set) var changes: [Change] = []
  /// How many more there are; of rows that have changed, each counts as one.
  private(set) var furtherCount = 0

  /// - Complexity: O(d log n + p), d rows that differ in tables, n rows, p parts that are no rows.
  init(from old: Any, to new: Any) {
    self.compare(old, new, at: Path())
  }

  private mutating func compare(_ old: Any, _ new: Any, at path: Path) {
    if let rows = new as? any KeyedRows, let changes = rows.changes(from: old) {
      for change in changes.sorted(by: { $0.key < $1.key }) {
        let path = path.appending(change.key)
        if let old = change.old, let new = change.new, self.changes.count < Self.limit {
          self.compare(old, new, at: path)
        } else {
          self.add(change.old, change.new, at: path)
        }
      }
      return
    }
    if type(of: old) is AnyClass, old as AnyObject === new as AnyObject { return }
    let (before, after) = (Inspection(old), Inspection(new))
    let range = 0..<max(before.count, after.count)
    guard range.isEmpty == false, before.count == after.count,
      Mirror(reflecting: new).displayStyle != .collection || before.count <= 1_000
    else {
      if before.summary != after.summary || before.count != after.count {
        self.add(old, new, at: path)
      }
      return
    }
    let (oldParts, newParts) = (before.parts(range), after.parts(range))
    guard oldParts.map(\.label) == newParts.map(\.label) else {
      self.add(old, new, at: path)
      return
    }
    for (old, new) in zip(oldParts, newParts) {
      self.compare(old.value, new.value, at: path.appending(new.label))
    }
  }

  private mutating func add(_ old: Any?, _ new: Any?, at path: Path) {
    guard self.changes.count < Self.limit else {
      self.furtherCount += 1
      return
    }
    self.changes.append(
      Change(
        path: path.description,
        old: old.map(Inspection.summary),
        new: new.map(Inspection.summary)
      )
    )
  }
}
