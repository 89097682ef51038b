public import ImmutableData

/// How the side effect stands that an action called for.
public enum EffectStatus: Hashable, Sendable {
  /// It has not ended.
  case waiting
  case success
  /// It has ended without effect, with a sentence for whoever waits.
  case failure(String)
}

extension EffectStatus {
  /// - Parameter status: Of the operation that the side effect is.
  public init?(_ status: OperationStatus?) {
    switch status {
    case nil, .empty: return nil
    case .waiting: self = .waiting
    case .success: self = .success
    case .failure(let error): self = .failure(error)
    }
  }
}
