/// A submission that was accepted, as the window that posted it knows it.
public struct Submission: Hashable, Sendable {
  let path: String
  /// The form that ``Presented`` writes in the URL.
  let name: String

  /// Whether it was posted with a token, which its action can contain (``Field/submission``).
  public func hasToken(_ token: String) -> Bool {
    Self.tag(of: token, at: self.path).text == self.name
  }

  /// The name of a submission. It is a hash, so that a long token takes no more memory than a short
  /// one.
  package static func tag(of token: String, at path: String) -> Tag {
    var hasher = TagHasher()
    hasher.combine(path)
    hasher.combine(token)
    return hasher.finalize()
  }
}
