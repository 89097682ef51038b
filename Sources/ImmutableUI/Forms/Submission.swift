/// A submission that was accepted, as the window that posted it knows it.
public struct Submission: Hashable, Sendable {
  /// `nil` for a name that is no hash, as in a URL that somebody has made up.
  private let tag: Tag?
  private let path: String

  /// - Parameters:
  ///   - path: The path of the page.
  ///   - name: The form that ``Presented`` writes in the URL.
  init(path: String, name: String) {
    self.tag = Tag(text: name)
    self.path = path
  }

  /// Whether it was posted with a token, which its action can contain (``Field/submission``).
  public func hasToken(_ token: String) -> Bool {
    Self.tag(of: token, at: self.path) == self.tag
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
