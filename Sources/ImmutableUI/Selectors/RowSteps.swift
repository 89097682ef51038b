import ImmutableData

/// The newest changes of a table, by group. Each step covers the changes between two reads.
///
/// It keeps ``limit`` steps, and no more than ``rowLimit`` rows in all. Older steps are forgotten.
struct RowSteps<Key, Row>: Sendable
where Row: Identifiable & Hashable & Sendable, Row.ID: Sendable, Key: Hashable & Sendable {
  struct Step: Sendable {
    let version: UInt64
    fileprivate(set) var changes: [Key: Table<Row>.Difference] = [:]
    fileprivate(set) var rowCount = 0
  }

  static var limit: Int { 16 }
  static var rowLimit: Int { 4_096 }

  private var steps: [Step] = []
  /// The steps up to this version are forgotten.
  private(set) var start: UInt64

  /// - Parameter version: The version of the table before the first step.
  init(after version: UInt64) {
    self.start = version
  }

  /// The keys of the groups that have changed since a version; `nil` if some steps are forgotten.
  ///
  /// - Complexity: O(k), k groups that have changed.
  func keys(since version: UInt64) -> Set<Key>? {
    guard self.start <= version else { return nil }
    return self.steps.reduce(into: []) { keys, step in
      if step.version > version { keys.formUnion(step.changes.keys) }
    }
  }

  /// The differences of some groups since a version, one for each step, oldest first, without the
  /// forgotten steps.
  ///
  /// - Complexity: O(k + d) for each step, k groups, d rows that differ.
  func differences(of keys: [Key], since version: UInt64) -> [Table<Row>.Difference] {
    self.steps.compactMap { step in
      guard step.version > version else { return nil }
      // Most steps change one group, and a day has 25 of them.
      let changes =
        8 * step.changes.count < keys.count
        ? step.changes.compactMap { keys.contains($0.key) ? $0.value : nil }
        : keys.compactMap { step.changes[$0] }
      guard changes.count > 1 else { return changes.first }
      // A row that has moved from one of the groups to another is removed before it is inserted.
      return Table.Difference(
        removed: changes.flatMap { $0.removed }, inserted: changes.flatMap { $0.inserted })
    }
  }

  /// Adds a step.
  ///
  /// - Parameters:
  ///   - difference: The difference from the previous step.
  ///   - version: The version of the table after it.
  ///   - key: Returns the key of a row's group.
  /// - Returns: The steps that are forgotten to make room. They may include the new step.
  mutating func append(
    _ difference: Table<Row>.Difference,
    at version: UInt64,
    by key: (Row) -> Key
  ) -> [Step] {
    var step = Step(version: version)
    for row in difference.removed {
      step.changes[key(row), default: Table.Difference()].removed.append(row)
    }
    for row in difference.inserted {
      step.changes[key(row), default: Table.Difference()].inserted.append(row)
    }
    step.rowCount = difference.count
    self.steps.append(step)

    var rowCount = self.steps.reduce(0) { $0 + $1.rowCount }
    var forgotten = 0
    while self.steps.count - forgotten > Self.limit || rowCount > Self.rowLimit {
      rowCount -= self.steps[forgotten].rowCount
      self.start = self.steps[forgotten].version
      forgotten += 1
    }
    defer { self.steps.removeFirst(forgotten) }
    return Array(self.steps.prefix(forgotten))
  }
}
