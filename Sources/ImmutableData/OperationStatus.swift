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
