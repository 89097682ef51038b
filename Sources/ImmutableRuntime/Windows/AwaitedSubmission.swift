/// A submission whose end a window was not told.
public struct AwaitedSubmission: Decodable, Sendable {
  /// The page that it was posted to.
  let url: String
  let token: String

  package init(url: String, token: String) {
    self.url = url
    self.token = token
  }
}
