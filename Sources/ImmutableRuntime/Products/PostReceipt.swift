/// What a browser without JavaScript brings along from its post to its next page, which another server
/// may answer if several share the state: the page then shows the post, and its toast.
///
/// Whoever makes one up only waits, and sees no other session's toast.
public struct PostReceipt: Hashable, Sendable {
  /// The version of the state that shows the post and the end of its effect.
  let version: UInt64
  /// The submission's name; `nil` if it is not known to have succeeded.
  let submission: String?

  init(version: UInt64, submission: String?) {
    (self.version, self.submission) = (version, submission)
  }

  /// - Returns: `nil` if the text is none of a receipt.
  public init?(_ text: Substring) {
    let parts = text.split(separator: ".", maxSplits: 1)
    guard text.utf8.count <= 200, let version = parts.first.flatMap({ UInt64($0) }) else {
      return nil
    }
    self.init(version: version, submission: parts.dropFirst().first.map(String.init))
  }

  /// The text from which it can be made again.
  public var text: String {
    self.submission.map { "\(self.version).\($0)" } ?? "\(self.version)"
  }
}
