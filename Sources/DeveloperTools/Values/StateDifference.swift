import PlainText

/// The differences between two values of one type, with their paths.
public struct StateDifference: Hashable, Sendable {
  struct Change: Hashable, Sendable, CustomStringConvertible {
    let path: String
    /// `nil` if it did not exist.
    let old: String?
    /// `nil` if it no longer exists.
    let new: String?

    var description: String {
      "\(self.path): \(self.old ?? "none") → \(self.new ?? "none")"
    }
  }

  /// The maximum number of differences.
  static let limit = 100

  private(set) var changes: [Change] = []
  /// The number of further differences.
  private(set) var furtherCount = 0

  /// The paths of the differences, at most 100.
  public var paths: [String] { self.changes.map(\.path) }

  /// - Complexity: O(d log n + p), d rows that differ in tables of n rows, and p other parts.
  public init(from old: Any, to new: Any) {
    StateComparison.visit(old, new) { path, old, new in
      guard self.changes.count < Self.limit else {
        self.furtherCount += 1
        return
      }
      self.changes.append(
        Change(
          path: path.description.inOneLine,
          old: old.map(Inspection.summary),
          new: new.map(Inspection.summary)
        )
      )
    }
  }
}
