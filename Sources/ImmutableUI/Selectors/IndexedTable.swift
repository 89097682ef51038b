import ImmutableData

/// A table with the ids of its rows by group, and its newest changes.
///
/// It keeps the id of each row, so the limit of the table bounds it.
struct IndexedTable<Row, Key>: Sendable
where Row: Identifiable & Hashable & Sendable, Row.ID: Sendable, Key: Hashable & Sendable {
  private(set) var table: Table<Row>
  /// The version of the state that the table is from.
  var version: UInt64
  private let index: RowIndex<Row, Key>
  /// It contains no empty groups.
  private var groups: [Key: Set<Row.ID>]
  private var steps: RowSteps<Key, Row>
  /// The version of each group's newest forgotten step. Bounded: two entries for each group, plus
  /// 64.
  private var forgotten: [Key: UInt64] = [:]
  /// The same for every group that is not in ``forgotten``.
  private var forgottenByDefault: UInt64

  /// - Complexity: O(n), n rows.
  init(_ table: Table<Row>, by index: RowIndex<Row, Key>, version: UInt64) {
    self.table = table
    self.version = version
    self.index = index
    self.groups = Dictionary(grouping: table.allRows) { index.key(of: $0) }
      .mapValues { Set($0.lazy.map { $0.id }) }
    self.steps = RowSteps(after: version)
    self.forgottenByDefault = version
  }

  /// The rows of some groups.
  ///
  /// - Complexity: O(r), r rows that are returned.
  func rows(in keys: [Key]) -> [Row] {
    keys.flatMap { self.groups[$0] ?? [] }.compactMap { self.table[$0] }
  }

  /// How some groups have changed since a version.
  ///
  /// - Complexity: O(d), d rows of the groups that differ, or O(r), r rows of the groups, if some
  ///   of the changes are forgotten.
  func change(of keys: [Key], since version: UInt64) -> RowChange<Row> {
    let isForgotten = keys.contains { version < self.forgotten[$0] ?? self.forgottenByDefault }
    return isForgotten
      ? .anew(self.rows(in: keys)) : .differences(self.steps.differences(of: keys, since: version))
  }

  /// The groups that have changed since a version; `nil` if some of the changes are forgotten.
  ///
  /// - Complexity: O(k), k groups that have changed.
  func changes(since version: UInt64) -> Set<Key>? {
    self.steps.keys(since: version)
  }

  /// Replaces the table.
  ///
  /// - Parameters:
  ///   - table: The new table.
  ///   - difference: The difference from the old table.
  /// - Complexity: O(d), d rows that differ.
  mutating func follow(_ table: Table<Row>, _ difference: Table<Row>.Difference) {
    self.table = table
    for row in difference.removed {
      let key = self.index.key(of: row)
      self.groups[key]?.remove(row.id)
      if self.groups[key]?.isEmpty == true { self.groups[key] = nil }
    }
    for row in difference.inserted {
      self.groups[self.index.key(of: row), default: []].insert(row.id)
    }
    for step in self.steps.append(difference, at: self.version, by: self.index.key(of:)) {
      for key in step.changes.keys { self.forgotten[key] = step.version }
      self.forgetEmptyGroups(through: step.version)
    }
  }

  private mutating func forgetEmptyGroups(through version: UInt64) {
    guard self.forgotten.count > 2 * self.groups.count + 64 else { return }
    self.forgotten = [:]
    self.forgottenByDefault = version
  }
}
