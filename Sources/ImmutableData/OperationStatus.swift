/// How an asynchronous operation stands.
///
/// Products call it `Status`, as the guide does.
///
/// Source: the guide, chapter AnimalsData, section Status.
public enum OperationStatus: Hashable, Sendable {
  case empty
  case waiting
  case success
  case failure(error: String)
}

extension OperationStatus {
  /// Why it failed, if it did.
  public var error: String? {
    if case .failure(let error) = self { error } else { nil }
  }
}

extension OperationStatus? {
  /// Whether a first operation has not ended, or is about to begin.
  public var isUnderWay: Bool {
    self == nil || self == .waiting
  }
}
