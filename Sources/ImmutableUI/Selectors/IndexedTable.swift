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
  /// It contains no empty groups. It is made when rows are first read: to tell which groups have
  /// changed, it is not needed.
  private var groups: [Key: Set<Row.ID>]?
  /// The rows that were read last, until the table changes. Most selectors of a page read the rows of
  /// the same groups, as does the next search of the same day. At most ``RowSteps/rowLimit``.
  private var lastRows: (keys: [Key], rows: [Row])?
  private var steps: RowSteps<Key, Row>
  /// The version of each group's newest forgotten step. Bounded: two entries for each group, plus
  /// 64, and one for each group of a step.
  private var forgotten: [Key: UInt64] = [:]
  /// The same for every group that is not in ``forgotten``.
  private var forgottenByDefault: UInt64

  init(_ table: Table<Row>, by index: RowIndex<Row, Key>, version: UInt64) {
    self.table = table
    self.version = version
    self.index = index
    self.steps = RowSteps(after: version)
    self.forgottenByDefault = version
  }

  /// The rows of some groups.
  ///
  /// - Complexity: O(r), r rows that are returned, or O(1) if they were read last; the first time
  ///   O(n), n rows.
  mutating func rows(in keys: [Key]) -> [Row] {
    if let lastRows, lastRows.keys == keys { return lastRows.rows }
    let groups =
      self.groups
      ?? Dictionary(grouping: self.table.allRows) { self.index.key(of: $0) }
      .mapValues { Set($0.lazy.map { $0.id }) }
    self.groups = groups
    let rows = keys.flatMap { groups[$0] ?? [] }.compactMap { self.table[$0] }
    self.lastRows = rows.count <= RowSteps<Key, Row>.rowLimit ? (keys, rows) : nil
    return rows
  }

  /// How some groups have changed since a version.
  ///
  /// - Complexity: O(d), d rows of the groups that differ, or O(r), r rows of the groups, if some
  ///   of the changes are forgotten.
  mutating func change(of keys: [Key], since version: UInt64) -> RowChange<Row> {
    let isForgotten =
      version < self.steps.start
      && keys.contains { version < self.forgotten[$0] ?? self.forgottenByDefault }
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
    self.lastRows = nil
    if self.groups != nil { self.regroup(difference) }
    for step in self.steps.append(difference, at: self.version, by: self.index.key(of:)) {
      self.forget(step)
    }
  }

  private mutating func regroup(_ difference: Table<Row>.Difference) {
    for row in difference.removed {
      let key = self.index.key(of: row)
      self.groups?[key]?.remove(row.id)
      if self.groups?[key]?.isEmpty == true { self.groups?[key] = nil }
    }
    for row in difference.inserted {
      self.groups?[self.index.key(of: row), default: []].insert(row.id)
    }
  }

  private mutating func forget(_ step: RowSteps<Key, Row>.Step) {
    guard let groups, self.forgotten.count <= 2 * groups.count + 64 else {
      self.forgotten = [:]
      self.forgottenByDefault = step.version
      return
    }
    for key in step.changes.keys { self.forgotten[key] = step.version }
  }
}
