import ImmutableData
import ImmutableUI
import Synchronization

/// The toasts of posts to other processes that share the state. If a visitor's window moves here,
/// the visitor can still undo such a post, and sees its toast when the browser sends it again.
///
/// It keeps the newest, up to 2 MB. The action of an undo is counted with the size of the log entry
/// that it undoes, but at least 1 kB.
final class SharedToasts<State: StoreState>: Sendable {
  private struct Entry: Sendable {
    let toast: Toast<State>
    let session: String
    let bytes: Int
  }

  private let entries = Mutex(Cache<String, Entry>(limit: 2 << 20))

  var bytes: Int { self.entries.withLock { $0.bytes } }
  var count: Int { self.entries.withLock { $0.count } }

  /// The name of a session in the log. It cannot be turned back into the session.
  static func name(of session: Identifier) -> String {
    Submission.tag(of: session.text, at: "session").text
  }

  /// - Parameters:
  ///   - toast: The toast of a submission.
  ///   - name: The submission's name.
  ///   - bytes: The size of its entry in the log.
  func keep(_ toast: Toast<State>, of name: String, _ post: SharedPost, bytes: Int) {
    let bytes = max(bytes, 1_024) + name.heapSize + post.session.heapSize
    let entry = Entry(toast: toast, session: post.session, bytes: bytes)
    self.entries.withLock { _ = $0.insert(entry, for: name, bytes: bytes) }
  }

  /// The toast of a submission; `nil` if it is unknown or belongs to another session.
  subscript(name: String, of session: Identifier) -> Toast<State>? {
    self.entry(name, of: session)?.toast
  }

  /// The undo of a submission.
  ///
  /// - Parameters:
  ///   - client: The network of the client that undoes it.
  ///   - recipient: The one who undoes it; `nil` for the next page of the session.
  ///   - url: The page from which it is undone.
  /// - Returns: `nil` if it cannot be undone, or belongs to another session.
  func undo(
    of name: String,
    _ session: Identifier,
    _ client: String,
    for recipient: Toasts<State>.Recipient?,
    url: String
  ) -> Toasts<State>.Undo? {
    self.entry(name, of: session).flatMap { entry in
      Toasts.Undo(
        of: name,
        Toasts.Entry(
          toast: entry.toast, session: session, client: client,
          recipient: recipient ?? .nextPage(session), url: url, bytes: entry.bytes))
    }
  }

  private func entry(_ name: String, of session: Identifier) -> Entry? {
    guard let entry = self.entries.withLock({ $0[name] }),
      entry.session == Self.name(of: session)
    else { return nil }
    return entry
  }
}

extension Product {
  /// Keeps the toasts of posts to other processes while the subscription lives.
  @MainActor func followOthers() -> Subscription? {
    guard self.source.isShared else { return nil }
    return self.source.observe { [pages, sharedToasts] oldState, action, _ in
      guard let (name, post) = SharedPost.elsewhere,
        let page = pages.first(where: { $0.key.text == post.path })?.value,
        let toast = page.location(Query(), WindowEnvironment()).toast(for: action, in: oldState)
      else { return }
      sharedToasts.keep(toast, of: name, post, bytes: ActionOrigin.entry.bytes)
    }
  }
}
