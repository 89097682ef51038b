import ImmutableUI

/// What a visitor is told about a submission.
public struct ToastContent: Hashable, Sendable {
  public let message: String
  /// The submission that the form ``ImmutableUI/FormField/undo`` undoes; `nil` if it cannot be
  /// undone.
  public let submission: String?
}

/// What visitors are told about their submissions, and how these are undone.
///
/// It keeps the newest: 2 MB of toasts, 1 MB of undos whose effect has not ended, and 1 MB of what
/// next pages tell. An action that undoes is taken to be as large as the form that it undoes, but
/// at least 1 kB.
struct Toasts<State: StoreState> {
  /// Who is told.
  enum Recipient: Sendable {
    case window(Identifier, stream: Identifier)
    /// The session's next page, because the post came without JavaScript.
    case nextPage(Identifier)
  }

  /// How a submission is undone.
  struct Undo: Sendable {
    fileprivate let name: String
    fileprivate let entry: Entry
    let action: @Sendable (State) -> State.Action?
  }

  struct Announcement: Sendable {
    let content: ToastContent
    let window: Identifier
    let stream: Identifier
  }

  fileprivate struct Entry: Sendable {
    let toast: Toast<State>
    let session: Identifier
    let recipient: Recipient
    let bytes: Int
  }

  /// By the submission's name.
  private var entries = Cache<String, Entry>(limit: 2 << 20)
  /// What submissions undo, until their effects have ended; by the name of the submission that undoes.
  private var undos = Cache<String, (undo: Undo, recipient: Recipient)>(limit: 1 << 20)
  /// What a session's next page tells.
  private var nextPages = Cache<Identifier, ToastContent>(limit: 1 << 20)

  var bytes: Int { self.entries.bytes + self.undos.bytes + self.nextPages.bytes }
  var count: Int { self.entries.count + self.undos.count + self.nextPages.count }

  /// Keeps what is to be told once the effect of a submission has succeeded.
  ///
  /// - Parameters:
  ///   - name: The submission's name.
  ///   - bytes: The size of the form that was posted.
  mutating func keep(
    _ toast: Toast<State>,
    of name: String,
    _ session: Identifier,
    for recipient: Recipient,
    bytes: Int
  ) {
    let bytes = toast.message.heapSize + name.heapSize + max(bytes, 1_024)
    let entry = Entry(toast: toast, session: session, recipient: recipient, bytes: bytes)
    self.entries.insert(entry, for: name, bytes: bytes)
  }

  /// The effect of a submission has ended.
  ///
  /// - Parameter state: As it is then.
  /// - Returns: What to tell a window.
  mutating func didEnd(_ name: String, _ status: EffectStatus?, in state: State) -> Announcement? {
    let undone = self.undos.removeValue(for: name)
    switch status {
    case .success:
      guard let entry = self.entries[name] else { return nil }
      return self.announce(self.content(name, entry, state), to: entry.recipient)
    case .failure(let message):
      self.entries.removeValue(for: name)
      guard let undone else { return nil }
      self.putBack(undone.undo)
      let content = ToastContent(
        message: "This could not be undone. \(message)",
        submission: undone.undo.name
      )
      return self.announce(content, to: undone.recipient)
    case .waiting, nil:
      return nil
    }
  }

  /// What a session's next page tells, once.
  mutating func take(for session: Identifier) -> ToastContent? {
    self.nextPages.removeValue(for: session)
  }

  /// What a page tells whose session could not undo something; that can be tried again while it is kept.
  func content(refusing refused: RefusedSubmission, to session: Identifier) -> ToastContent {
    let name = refused.fields[FormField.submission]
    let isKept =
      refused.refusal.kind != .gone && name.flatMap { self.entries[$0] }?.session == session
    return ToastContent(message: refused.refusal.message, submission: isKept ? name : nil)
  }

  /// How a submission is undone, once.
  ///
  /// - Returns: `nil` if it was undone, is another session's, or is too long ago.
  mutating func takeUndo(of name: String, _ session: Identifier) -> Undo? {
    guard let entry = self.entries[name], entry.session == session, let action = entry.toast.undo
    else { return nil }
    self.entries.removeValue(for: name)
    return Undo(name: name, entry: entry, action: action)
  }

  /// The undo was refused, so it can be tried again.
  mutating func putBack(_ undo: Undo) {
    self.entries.insert(undo.entry, for: undo.name, bytes: undo.entry.bytes)
  }

  /// The undo has begun; it can be tried again if its effect fails.
  ///
  /// - Parameter name: The name of the submission that undoes.
  mutating func keep(_ undo: Undo, of name: String, for recipient: Recipient) {
    self.undos.insert((undo, recipient), for: name, bytes: undo.entry.bytes + name.heapSize)
  }

  private mutating func announce(
    _ content: ToastContent,
    to recipient: Recipient
  ) -> Announcement? {
    switch recipient {
    case .window(let window, let stream):
      return Announcement(content: content, window: window, stream: stream)
    case .nextPage(let session):
      let bytes = content.message.heapSize + (content.submission?.heapSize ?? 0)
      self.nextPages.insert(content, for: session, bytes: bytes)
      return nil
    }
  }

  private func content(_ name: String, _ entry: Entry, _ state: State) -> ToastContent {
    ToastContent(
      message: entry.toast.message.sentence(in: state),
      submission: entry.toast.undo == nil ? nil : name
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
