/// How an asynchronous operation stands.
///
/// Source: the guide, chapter QuakesData, section Status.
public enum Status: Hashable, Sendable {
  case empty
  case waiting
  case success
  case failure(error: String)
}
