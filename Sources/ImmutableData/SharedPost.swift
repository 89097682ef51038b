/// What processes that share a state know about a post besides its action. Each of them can use it
/// to undo the post for its visitor.
package struct SharedPost: Codable, Hashable, Sendable {
  /// The path of the page that the form was posted to.
  package let path: String
  /// Identifies the session, but cannot be turned back into it.
  package let session: String

  package init(path: String, session: String) {
    self.path = path
    self.session = session
  }

  /// The post that this task is making.
  @TaskLocal package static var current: Self?
  /// The post whose action this task reduces, with its id, if another process received it, or if
  /// this process did but could not answer it.
  @TaskLocal package static var elsewhere: (id: String, post: Self)?
}
