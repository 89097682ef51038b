/// What differs between two values of one type: the paths of what is not equal.
public struct StateDifference: Sendable {
  struct Change: Hashable, Sendable, CustomStringConvertible {
    let path: String
    /// `nil`: it was not there.
    let old: String?
    /// `nil`: it is no longer there.
    let new: String?

    var description: String {
      "\(self.path): \(self.old ?? "none") → \(self.new ?? "none")"
    }
  }

  /// At most so many.
  static let limit = 100

  private(set) var changes: [Change] = []
  /// How many more there are.
  private(set) var furtherCount = 0

  /// Where they differ, at most 100 places.
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
          path: path.description,
          old: old.map(Inspection.summary),
          new: new.map(Inspection.summary)
        )
      )
    }
  }
}
