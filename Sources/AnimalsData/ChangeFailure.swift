/// A mark or a deletion of an animal that failed.
public struct ChangeFailure: Hashable, Codable, Sendable {
  public let animalId: Animal.ID
  /// Whether the animal was to be deleted; otherwise it was to be marked.
  public let isDeletion: Bool
  /// The reason, for visitors.
  public let error: String
}
