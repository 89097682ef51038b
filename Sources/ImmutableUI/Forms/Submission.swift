/// A submission that was accepted, as the window that posted it knows it.
public struct Submission: Hashable, Sendable {
  let path: String
  /// As ``Presented`` has it in the URL.
  let name: String

  /// Whether it was posted with a token, which is what its action has (``Field/submission``).
  public func hasToken(_ token: String) -> Bool {
    var hasher = TagHasher()
    hasher.combine(self.path)
    hasher.combine(token)
    return hasher.finalize().text == self.name
  }
}
