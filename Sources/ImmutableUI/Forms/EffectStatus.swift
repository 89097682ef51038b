public import ImmutableData

/// The status of an action's side effect.
public enum EffectStatus: Hashable, Sendable {
  /// It has not ended.
  case waiting
  case success
  /// It has failed, with a sentence for the visitor.
  case failure(String)
}

extension EffectStatus {
  /// - Parameter status: The status of the side effect's operation.
  public init?(_ status: OperationStatus?) {
    switch status {
    case nil, .empty: return nil
    case .waiting: self = .waiting
    case .success: self = .success
    case .failure(let error): self = .failure(error)
    }
  }
}
