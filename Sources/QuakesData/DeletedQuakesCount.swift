/// The number of quakes that undoing a deletion of all would restore.
public struct DeletedQuakesCount: Hashable, Sendable {
  /// The deletion's number.
  public let deletion: Int
  public let count: Int
}
