/// Finds the groups of a table's rows that have changed. A frame asks it once, and then updates
/// only the selectors of those groups, however many others there are.
package protocol RowTracker: AnyObject, Sendable {
  /// The keys of the groups that have changed since a version.
  ///
  /// - Returns: `nil` if the version is too old. Any group may have changed then.
  /// - Complexity: O(d), d rows that differ.
  func changes(since version: UInt64, in scope: any AnyRenderScope) -> Set<GroupKey>?
}

/// The groups of rows that a selector depends on. Other rows do not change its output.
package struct WatchedRows: Sendable {
  package let tracker: any RowTracker
  package let keys: [GroupKey]
}

/// The key of a group of rows, whatever its type.
package typealias GroupKey = AnySendableHashable
