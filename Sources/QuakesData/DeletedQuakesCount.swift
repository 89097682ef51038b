/// How many quakes a deletion of all can bring back.
public struct DeletedQuakesCount: Hashable, Sendable {
  /// The deletion's number.
  public let deletion: Int
  public let count: Int
}
