/// The status of an asynchronous operation.
///
/// Products call it `Status`, as in the guide.
///
/// Source: the guide, chapter AnimalsData, section Status.
public enum OperationStatus: Hashable, Codable, Sendable {
  case empty
  case waiting
  case success
  case failure(error: String)
}

extension OperationStatus {
  /// The reason if it failed.
  public var error: String? {
    if case .failure(let error) = self { error } else { nil }
  }
}

extension OperationStatus? {
  /// Whether a first operation is in progress or about to begin.
  public var isUnderWay: Bool {
    self == nil || self == .waiting
  }
}
