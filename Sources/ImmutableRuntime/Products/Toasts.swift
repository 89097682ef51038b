import ImmutableData
import ImmutableUI

/// The message to a visitor about a submission.
public struct ToastContent: Hashable, Sendable {
  public let message: String
  /// The submission that the form ``ImmutableUI/FormField/undo`` undoes; `nil` if it cannot be
  /// undone.
  public let submission: String?
  /// The page to which that form is posted. The window may show a page of another product by then.
  let url: String
  /// Why the submission has failed; `nil` if it has not. A page that shows the reason itself needs no
  /// toast. Empty for an undo, whose toast is needed all the same.
  var failure: String?
  /// What it is about; `nil` if it replaces no other toast.
  var subject: String?
}

/// The effect of a submission, whose end is told to the window that posted the form.
struct AwaitedEffect: Sendable {
  /// Whether a sheet waits for it, and shows why it has failed.
  let isPresented: Bool
}

/// The toasts about submissions, and how the submissions are undone.
///
/// It keeps the newest: 4 MB of toasts, 2 MB of undos whose effect has not ended, and 1 MB of
/// toasts for next pages. Each client may have a quarter of each. The action of an undo is counted
/// with the size of the form that it undoes, but at least 1 kB.
struct Toasts<State: StoreState> {
  /// The recipient.
  enum Recipient: Hashable, Sendable {
    case window(Identifier, stream: Identifier)
    /// The session's next page, because the post came without JavaScript.
    case nextPage(Identifier)
  }

  /// How a submission is undone.
  struct Undo: Sendable {
    fileprivate let name: String
    fileprivate var entry: Entry
    let action: @Sendable (State) -> State.Action?

    /// - Parameter entry: What is undone.
    /// - Returns: `nil` if it cannot be undone.
    init?(of name: String, _ entry: Entry) {
      guard let action = entry.toast?.undo else { return nil }
      (self.name, self.entry, self.action) = (name, entry, action)
    }

    /// The name of the submission that undoes. It is the same in all processes that share the
    /// state, so a submission is undone only once. After a refusal or a failure, the next attempt
    /// has another name.
    var submission: String {
      Submission.tag(of: "\(self.entry.failures)", at: "undo \(self.name)").text
    }

    mutating func didFail() { self.entry.failures += 1 }
  }

  /// What a window is told of the end of one of its submissions.
  struct Announcement: Sendable {
    let content: ToastContent?
    /// The submission's token; `nil` if it has none.
    let token: String?
    /// Whether it has an effect, which has succeeded.
    let hasSucceeded: Bool
    /// `nil` if it is not known which window of the session that is.
    let window: Post.Window?
    let session: Identifier
    let client: String
  }

  /// A submission: whom to tell its end, and how it is undone.
  struct Entry: Sendable {
    /// To be shown once it has succeeded; `nil` if there is none.
    let toast: Toast<State>?
    /// Its effect; `nil` if it has none.
    var awaited: AwaitedEffect?
    /// The submission's token; `nil` if it has none.
    var token: String?
    let session: Identifier
    /// The network of the client that posted it.
    let client: String
    /// `nil` until a window asks for it, because the post came from none.
    var recipient: Recipient?
    /// The page that it was posted to.
    let url: String
    /// The size of the form that was posted.
    var bytes: Int
    /// How many attempts to undo it have failed.
    var failures = 0
    /// Whether the recipient was told that it has succeeded.
    var isTold = false
  }

  /// By the submission's name.
  private var entries = Cache<String, Entry>(limit: 4 << 20, isShared: true)
  /// The submissions that are being undone, until the effects have ended; by the name of the
  /// submission that undoes.
  private var undos = Cache<String, (undo: Undo, recipient: Recipient?)>(
    limit: 2 << 20, isShared: true)
  /// The toasts for the next page of a session.
  private var nextPages = Cache<Identifier, ToastContent>(limit: 1 << 20, isShared: true)

  var bytes: Int { self.entries.bytes + self.undos.bytes + self.nextPages.bytes }
  var count: Int { self.entries.count + self.undos.count + self.nextPages.count }

  /// Keeps a submission that was accepted, if there is anything to tell of it.
  ///
  /// - Parameter name: The submission's name.
  mutating func keep(_ entry: Entry, of name: String) {
    guard entry.toast != nil || entry.awaited != nil else { return }
    var entry = entry
    entry.bytes =
      (entry.toast?.message.heapSize ?? 0) + (entry.toast?.subject?.heapSize ?? 0)
      + name.heapSize + entry.url.heapSize + max(entry.bytes, 1_024)
    self.put(entry, for: name)
  }

  /// The effect of a submission has ended.
  ///
  /// - Parameter state: The state at that time.
  /// - Returns: What to tell a window.
  mutating func didEnd(_ name: String, _ status: OperationStatus?, in state: State) -> Announcement?
  {
    let undone = self.undos.removeValue(for: name)
    switch status {
    case .success:
      guard var entry = self.entries.removeValue(for: name) else { return nil }
      entry.isTold = true
      self.put(entry, for: name)
      let content = entry.toast.map { ToastContent(name, $0, entry.url, state) }
      return self.announce(
        content, entry, token: entry.token, to: entry.recipient,
        hasSucceeded: entry.awaited != nil)
    case .failure, .empty:
      let entry = self.entries.removeValue(for: name)
      guard var undone else {
        guard let entry, entry.awaited?.isPresented == false, let reason = status?.error
        else { return nil }
        let content = ToastContent(
          message: "This did not work. \(reason)", submission: nil, url: entry.url, failure: reason)
        return self.announce(content, entry, token: entry.token, to: entry.recipient)
      }
      undone.undo.didFail()
      self.putBack(undone.undo)
      let content = ToastContent(
        message: ["This could not be undone.", status?.error].compactMap(\.self)
          .joined(separator: " "),
        submission: undone.undo.name,
        url: undone.undo.entry.url,
        failure: ""
      )
      return self.announce(
        content, undone.undo.entry, token: entry?.token, to: entry?.recipient ?? undone.recipient)
    case .waiting, nil:
      return nil
    }
  }

  /// A window has sent a submission again, whose first answer it did not get, or has joined again
  /// without having been told its end.
  ///
  /// - Returns: Whether another window, of a stream that may have ended, was told that it has
  ///   succeeded.
  mutating func readdress(
    _ name: String,
    of session: Identifier,
    to recipient: Recipient
  ) -> Bool {
    guard var entry = self.entries[name], entry.session == session, entry.recipient != recipient
    else { return false }
    entry.recipient = recipient
    self.put(entry, for: name)
    return entry.isTold
  }

  /// The toast of a submission; `nil` if it has none, or belongs to another session.
  func toast(of name: String, _ session: Identifier) -> Toast<State>? {
    self.entries[name].flatMap { $0.session == session ? $0.toast : nil }
  }

  /// The toast for the session's next page, returned once.
  mutating func take(for session: Identifier) -> ToastContent? {
    self.nextPages.removeValue(for: session)
  }

  /// The toast of a failure for a session that had no window when it happened, returned once.
  mutating func takeFailure(for session: Identifier) -> ToastContent? {
    self.nextPages[session]?.failure == nil ? nil : self.take(for: session)
  }

  /// Keeps what a window was to be told, for the next page or window of its session, because that
  /// window is gone.
  mutating func keep(_ content: ToastContent, of announcement: Announcement) {
    self.keep(content, forNextPageOf: announcement.session, announcement.client)
  }

  /// The toast of a page that answers a refused submission. An undo can be tried again while it is
  /// kept.
  func content(refusing refused: RefusedSubmission, to session: Identifier) -> ToastContent {
    let name = refused.fields[FormField.submission]
    let isKept =
      refused.refusal.kind != .gone && name.flatMap { self.entries[$0] }?.session == session
    return ToastContent(
      message: refused.refusal.message,
      submission: isKept ? name : nil,
      url: name.flatMap { self.entries[$0]?.url } ?? ""
    )
  }

  /// How a submission is undone, once.
  ///
  /// - Returns: `nil` if it was already undone, belongs to another session, or is too old.
  mutating func takeUndo(of name: String, _ session: Identifier) -> Undo? {
    guard let entry = self.entries[name], entry.session == session,
      let undo = Undo(of: name, entry)
    else { return nil }
    self.entries.removeValue(for: name)
    return undo
  }

  /// The undo was refused, so it can be tried again.
  mutating func putBack(_ undo: Undo) {
    self.put(undo.entry, for: undo.name)
  }

  private mutating func put(_ entry: Entry, for name: String) {
    self.entries.insert(entry, for: name, bytes: entry.bytes, of: entry.client)
  }

  /// The undo has begun; it can be tried again if its effect fails or is cancelled.
  ///
  /// - Parameter name: The name of the submission that undoes.
  mutating func keep(_ undo: Undo, of name: String, for recipient: Recipient?) {
    self.undos.insert(
      (undo, recipient), for: name, bytes: undo.entry.bytes + name.heapSize, of: undo.entry.client)
  }

  private mutating func announce(
    _ content: ToastContent?,
    _ entry: Entry,
    token: String?,
    to recipient: Recipient?,
    hasSucceeded: Bool = false
  ) -> Announcement? {
    var window: Post.Window?
    switch recipient {
    case .window(let id, let stream): window = (id, stream)
    case .nextPage(let session):
      if let content { self.keep(content, forNextPageOf: session, entry.client) }
      return nil
    case nil: break
    }
    return Announcement(
      content: content, token: token, hasSucceeded: hasSucceeded, window: window,
      session: entry.session, client: entry.client)
  }

  private mutating func keep(
    _ content: ToastContent,
    forNextPageOf session: Identifier,
    _ client: String
  ) {
    let bytes =
      content.message.heapSize + (content.submission?.heapSize ?? 0) + content.url.heapSize
      + (content.failure?.heapSize ?? 0) + (content.subject?.heapSize ?? 0)
    self.nextPages.insert(content, for: session, bytes: bytes, of: client)
  }
}

extension ToastContent {
  /// The toast of a submission that has succeeded.
  ///
  /// - Parameters:
  ///   - name: The submission's name.
  ///   - toast: Its toast.
  ///   - url: The page to which an undo is posted.
  ///   - state: The state after it.
  init<State>(_ name: String, _ toast: Toast<State>, _ url: String, _ state: State) {
    self.init(
      message: toast.message.sentence(in: state),
      submission: toast.undo == nil ? nil : name,
      url: url,
      subject: toast.subject
    )
  }
}

extension Toast.Message {
  fileprivate func sentence(in state: State) -> String {
    switch self {
    case .sentence(let sentence): sentence
    case .result(let sentence): sentence(state)
    }
  }

  fileprivate var heapSize: Int {
    switch self {
    case .sentence(let sentence): sentence.heapSize
    case .result: 0
    }
  }
}
