public import ImmutableData
public import ImmutableUI
import Synchronization

/// The answer to a submission.
public enum SubmissionAnswer: Sendable {
  /// It was reduced.
  case accepted(Acceptance)
  /// Nothing has changed.
  case refused(Refusal, version: UInt64)
}

extension SubmissionAnswer {
  var version: UInt64 {
    switch self {
    case .accepted(let acceptance): acceptance.version
    case .refused(_, let version): version
    }
  }

  /// `nil` if it was accepted.
  package var refusal: Refusal? {
    if case .refused(let refusal, _) = self { refusal } else { nil }
  }
}

/// The result of a submission that was reduced.
public struct Acceptance: Sendable {
  /// The store's version that includes the action.
  public let version: UInt64
  /// The path and query to which the window that posted it goes.
  public let url: String
  /// The status of its effect; `nil` if it has none or if the status is unknown.
  public let effect: OperationStatus?
  /// What the browser brings to its next page; `nil` if no other server shares the state.
  public let receipt: PostReceipt?

  /// Whether it is not known to have succeeded, although it has an effect.
  package var isPending: Bool { self.effect != nil && self.effect != .success }
  package var hasFailed: Bool { self.effect?.error != nil }
}

extension Product {
  /// Turns a posted form into an action and dispatches it, once.
  ///
  /// If an accepted submission is sent again, it is not carried out again and gets the first
  /// answer. A refused submission had no effect, so it may be corrected and sent again.
  nonisolated func submit(_ post: Post) async -> SubmissionAnswer {
    await self.prepare?()
    let token = post.fields[FormField.token].flatMap { $0.isEmpty ? nil : $0 }
    let key = token.map { SubmissionKey(path: post.route.page.text, token: $0) }
    let name = key?.text ?? Identifier().text
    let location = self.page(at: post.route.page)
      .location(post.route.query, post.environment)
    let answer = await self.submissions.answer(to: key, of: post.client) {
      await self.carryOut(post, from: location, name)
    }
    switch answer {
    case .success(let submission):
      return .accepted(await self.acceptance(of: submission, post, from: location))
    case .failure(let refusal):
      let version = self.version
      if let window = post.window { await self.owe(version, to: window) }
      return .refused(refusal, version: version)
    }
  }

  /// Parses and checks the form, waits until its action has been reduced, then records the
  /// submission, so that the status of its effect can be found later.
  private nonisolated func carryOut(
    _ post: Post,
    from location: any Location<State>,
    _ name: String
  ) async -> Submissions.Answer {
    await self.load(location)
    let (id, begun) = (Identifier(), ContinuousClock.now)
    self.posts.withLock { $0[id] = self.version }
    defer { self.posts.withLock { $0[id] = nil } }
    var undo: Toasts<State>.Undo?
    do {
      undo = try await self.takeUndo(post)
      let reduced = try await self.reduce(post, undo, from: location, undo?.submission ?? name)
      await self.didReduce(reduced, undo, post, from: location, begun)
      return .success(reduced.submission)
    } catch {
      if Refusal(error).kind != .unavailable { undo?.didFail() }
      if let undo { await self.putBack(undo) }
      self.logUnlessRefusal(error, at: post.route.page, form: post.fields[FormField.form] ?? "")
      // It may have been refused only because the data is not loaded yet.
      let isLoading = location.isLoading(in: self.source.snapshot().state)
      return .failure(isLoading ? Self.loading : Refusal(error))
    }
  }

  private nonisolated static var loading: Refusal {
    Refusal(.unavailable, "This is still being loaded. Nothing is lost: try again in a moment.")
  }

  /// Fetches the data of a page, if nobody has opened the page since the server started. A post
  /// that was made while the server was down often arrives first, or a window that has waited for
  /// the server. Later fetches are not waited for, so that they can be cancelled.
  nonisolated func load(_ location: any Location<State>) async {
    let isLoaded = self.loadedPages.withLock { $0.contains(location.path) }
    guard isLoaded == false else { return }
    if location.isLoading(in: self.source.snapshot().state) {
      await self.appear(location)
      await self.waitUntilLoaded(location)
    }
    self.loadedPages.withLock { _ = $0.insert(location.path) }
  }

  private func waitUntilLoaded(_ location: any Location<State>) async {
    await self.wait(for: self.configuration.appearTimeout) { location.isLoading(in: $0.state) }
  }

  /// A submission that was reduced.
  private struct Reduced: Sendable {
    let submission: AcceptedSubmission
    let effect: SubmissionEffect<State>?
    /// Whether a sheet waits for the effect, and shows how it ended.
    var isPresented = false
    let toast: Toast<State>?
  }

  /// - Throws: ``Refusal``, or the reducer's error; the state is unchanged.
  @MainActor private func reduce(
    _ post: Post,
    _ undo: Toasts<State>.Undo?,
    from location: any Location<State>,
    _ name: String
  ) async throws -> Reduced {
    let templates = try self.templates.get()
    let snapshot = self.source.snapshot()
    // Other reasons for a refusal would refer to a state that is only shown.
    guard snapshot.isPast == false else { throw PastStateError() }
    var old = snapshot.state
    if let undo, undo.action(old) == nil {
      try await self.source.catchUp()
      old = self.source.snapshot().state
      if undo.action(old) == nil, let version = try await self.source.version(ofPost: name) {
        // Another process has already undone it, but its answer did not arrive.
        let submission = AcceptedSubmission(version: version, name: name, target: nil)
        return Reduced(submission: submission, effect: nil, toast: nil)
      }
    }
    let fields = try post.completeFields
    let (action, closings) = try self.action(of: fields, undo, templates, in: old)
    let version = try await self.version(of: action, name, post) { state in
      try location.check(fields, in: state)
    }
    let state = self.source.snapshot().state(at: version)
    let effect = SubmissionEffect(of: action, from: location, submission: name, in: state)
    if effect != nil { self.warnUnlessBegun(action, from: location) }
    var target = location
    var isPresented = false
    if let closing = location.closing(closings) {
      isPresented = closing.closing == .onSuccess && effect != nil
      target = location.posted(name, closing, waits: isPresented)
    }
    let submission = AcceptedSubmission(
      version: version,
      name: name,
      target: target.query == location.query ? nil : target.query.text
    )
    return Reduced(
      submission: submission,
      effect: effect,
      isPresented: isPresented,
      // If another process reduced the action first, its toast has the undo for the state at that
      // time.
      toast: self.sharedToasts[name, of: post.session] ?? location.toast(for: action, in: old)
    )
  }

  /// Logs that an action's status says that its effect is waiting, although no effect is in progress
  /// that could end it. Other processes may run those of a shared store.
  @MainActor private func warnUnlessBegun(
    _ action: State.Action,
    from location: any Location<State>
  ) {
    guard let effects = self.effects, effects.count == 0, self.source.isShared == false,
      location.status(of: action, in: self.source.snapshot().state) == .waiting
    else { return }
    let name = ActionOrigin.name(of: action)
    self.context.counters.warn(
      "the status of \(name) is waiting, but no effect has begun. Is its listener kept for as long as "
        + "the store, does it listen to the store, and does it return an effect for \(name), in the "
        + "lanes of the Provider?")
  }

  /// Dispatches an action, unless the state already rules it out.
  ///
  /// - Parameter check: Throws if the state rules the action out.
  /// - Returns: The version of the action.
  @MainActor private func version(
    of action: State.Action,
    _ name: String,
    _ post: Post,
    check: @Sendable (State) throws -> Void
  ) async throws -> UInt64 {
    let origin = ActionOrigin.form(
      name: post.fields[FormField.form] ?? "",
      path: post.route.page.text,
      window: post.window?.id.text
    )
    return try await BacklogEntry.withCurrent(post.backlogEntry) {
      try await ActionOrigin.$current.withValue(origin) {
        guard self.source.isShared else {
          return try await self.source.post(action: action, id: name, check: check)
        }
        let shared = SharedPost(
          path: post.route.page.text, session: SharedToasts<State>.name(of: post.session))
        return try await SharedPost.$current.withValue(shared) {
          try await self.source.post(action: action, id: name, check: check)
        }
      }
    }
  }

  /// The action that a form makes, and what the form closes in each local state.
  private nonisolated func action(
    of fields: FormFields,
    _ undo: Toasts<State>.Undo?,
    _ templates: TemplateSet,
    in state: State
  ) throws -> (State.Action, [FormClosing]) {
    let name = fields[FormField.form] ?? ""
    if name == FormField.undo {
      guard let action = undo?.action(state) else {
        throw Refusal(.gone, "This can no longer be undone.")
      }
      return (action, [])
    }
    guard let form = templates.form(name, of: State.Action.self) else {
      // A browser can send any text, and reports and logs keep the message.
      let name = name.prefix(100)
      throw Refusal(.unknown, "There is no form \u{201C}\(name)\u{201D} here. Reload the page.")
    }
    return (try form.action(fields), templates.closings(of: form))
  }

  /// - Throws: An error that says why it is unknown whether there is one.
  private nonisolated func takeUndo(_ post: Post) async throws -> Toasts<State>.Undo? {
    guard post.fields[FormField.form] == FormField.undo,
      let name = post.fields[FormField.submission]
    else { return nil }
    if let undo = await self.takeUndo(of: name, post.session) { return undo }
    func shared() -> Toasts<State>.Undo? {
      self.sharedToasts.undo(
        of: name, post.session, post.client, for: post.recipient(of: State.self),
        url: self.url(of: post))
    }
    if let undo = shared() { return undo }
    // The window may come from another process, which has reduced more.
    try await self.source.catchUp()
    return shared()
  }

  /// What may be shown again or kept of a submission: everything but passwords.
  nonisolated func withoutSecrets(_ fields: FormFields) -> FormFields {
    let form = fields[FormField.form] ?? ""
    return fields.without(self.form(form)?.secretNames ?? [])
  }

  nonisolated func withoutSecrets(_ refused: RefusedSubmission) -> RefusedSubmission {
    RefusedSubmission(
      form: refused.form,
      fields: refused.fields.without(self.form(refused.form)?.secretNames ?? []),
      refusal: refused.refusal
    )
  }

  /// The page that something was posted to.
  private nonisolated func url(of post: Post) -> String {
    self.page(at: post.route.page).location(post.route.query, post.environment).url
  }

  private func takeUndo(of name: String, _ session: Identifier) -> Toasts<State>.Undo? {
    self.toasts.takeUndo(of: name, session)
  }

  private func putBack(_ undo: Toasts<State>.Undo) {
    self.toasts.putBack(undo)
  }

  private func didReduce(
    _ reduced: Reduced,
    _ undo: Toasts<State>.Undo?,
    _ post: Post,
    from location: any Location<State>,
    _ begun: ContinuousClock.Instant
  ) {
    let submission = reduced.submission
    self.latency.didDispatch(submission.version, at: begun)
    // The frame of the action may already have been made, and the next one may be a long time away.
    self.latency.didPush(self.framedVersion)
    let recipient = post.recipient(of: State.self)
    self.toasts.keep(
      Toasts.Entry(
        toast: reduced.toast,
        awaited: reduced.effect.map { _ in AwaitedEffect(isPresented: reduced.isPresented) },
        token: post.fields[FormField.token],
        session: post.session,
        client: post.client,
        recipient: recipient,
        url: location.url,
        bytes: post.fields.heapSize
      ),
      of: submission.name
    )
    if let undo, reduced.effect != nil {
      self.toasts.keep(undo, of: submission.name, for: recipient)
    }
    guard let effect = reduced.effect else { return self.tell(submission.name, .success) }
    self.drafts.keep(
      self.withoutSecrets(post.fields), of: submission.name, post.session, post.client)
    let ended = self.outcomes.add(
      submission.name,
      effect,
      since: submission.version,
      bytes: post.fields.heapSize,
      of: post.client,
      in: self.source.snapshot()
    )
    self.didEnd(ended)
  }

  /// The result of a submission. Waits for its effect if the post asks for that.
  ///
  /// - Parameter location: The page that it was posted to.
  private func acceptance(
    of submission: AcceptedSubmission,
    _ post: Post,
    from location: any Location<State>
  ) async -> Acceptance {
    if let window = post.window {
      self.owe(submission.version, to: window)
      self.readdressToast(of: submission.name, post)
    }
    if post.waits {
      await self.wait(for: self.configuration.effectTimeout) { _ in
        self.outcomes[submission.name] == .waiting
      }
    }
    let snapshot = self.snapshot()
    let target = submission.target.map { target in
      self.page(at: post.route.page).location(Query(target), post.environment)
    }
    let effect = self.outcomes[submission.name]
    let receipt = self.source.isShared ? self.receipt(of: submission, effect, in: snapshot) : nil
    // The next page, at whichever server, shows the toast of the receipt.
    if receipt?.submission != nil, post.waits { _ = self.toasts.take(for: post.session) }
    return Acceptance(
      version: submission.version,
      url: self.normalize(target ?? location, in: snapshot).url,
      effect: effect,
      receipt: receipt
    )
  }

  private func receipt(
    of submission: AcceptedSubmission,
    _ effect: OperationStatus?,
    in snapshot: Snapshot
  ) -> PostReceipt {
    let hasSucceeded = effect == nil || effect == .success
    return PostReceipt(
      version: snapshot.version, submission: hasSucceeded ? submission.name : nil)
  }

  /// Tells the window that has sent a submission again what the window that sent it first was told.
  /// That one may be the same tab, on a stream that has ended.
  private func readdressToast(of name: String, _ post: Post) {
    guard let recipient = post.recipient(of: State.self) else { return }
    self.readdressToast(of: name, post.session, to: recipient)
  }

  private func readdressToast(
    of name: String,
    _ session: Identifier,
    to recipient: Toasts<State>.Recipient
  ) {
    guard self.toasts.readdress(name, of: session, to: recipient) else { return }
    self.tell(name, .success)
  }

  func tellEnd(of key: SubmissionKey, _ session: Identifier, to window: Post.Window) {
    guard let name = self.submissions[key]?.name else { return }
    self.readdressToast(of: name, session, to: .window(window.id, stream: window.stream))
  }

  /// Checks which effects have ended in a snapshot that is then rendered. A place must not see an
  /// effect as waiting that has ended in the snapshot, or it would not be updated until the next
  /// action. Nor must it see an effect as ended in a later state, or it would not find there what the
  /// effect has added.
  ///
  /// - Complexity: O(1) if nothing has happened, otherwise O(o * a), o pending operations, a
  ///   actions since.
  func updateOutcomes(to snapshot: Snapshot) {
    self.didEnd(self.outcomes.update(to: snapshot))
  }

  private func didEnd(_ submissions: [String]) {
    self.endedSubmissions += submissions
    for name in submissions {
      let outcome = self.outcomes[name]
      if outcome == .success { self.drafts.remove(name) }
      self.tell(name, outcome)
    }
  }

  private func tell(_ name: String, _ outcome: OperationStatus?) {
    let snapshot = self.source.snapshot()
    guard let announcement = self.toasts.didEnd(name, outcome, in: snapshot.state) else { return }
    self.announcements.append(announcement)
    if snapshot.version == self.framedVersion { self.sendToasts() }
  }

  /// Sends the toasts that wait. A toast follows the frame that shows what it tells of. Otherwise a
  /// window could undo what it still shows.
  func sendToasts() {
    guard self.announcements.isEmpty == false else { return }
    let announcements = self.announcements
    self.announcements = []
    var commands: [HubCommand] = []
    for announcement in announcements {
      let token = announcement.token
      if let (window, stream) = announcement.window, self.context.directory[window] != nil {
        if let token, announcement.hasSucceeded {
          let event = EventWriter.ended(token, window: window, version: self.framedVersion)
          commands.append(.tell(stream: stream, event))
        }
        if let content = announcement.content {
          commands += self.commands(telling: content, of: token, to: window, on: stream)
        }
        continue
      }
      // Its page was reloaded, or its connection was lost. It asks for a success when it joins again.
      guard let content = announcement.content, content.failure != nil else { continue }
      let others = self.context.directory.windows(of: announcement.session)
        .filter { self.places[$0.window] != nil }
      for other in others {
        commands += self.commands(
          telling: content, of: token, to: other.window, on: other.stream)
      }
      if others.isEmpty { self.toasts.keep(content, of: announcement) }
    }
    if commands.isEmpty == false { self.context.outbox.send(commands) }
  }

  /// Sends a window a toast; none if it tells of a failure whose reason the window shows anyway.
  ///
  /// - Parameter token: The token of the submission; `nil` if it is not known.
  func commands(
    telling content: ToastContent,
    of token: String? = nil,
    to window: Identifier,
    on stream: Identifier
  ) -> [HubCommand] {
    if let shown = self.places[window]?.place.composition, shown.tells(content) { return [] }
    let event = EventWriter.toast(
      content, of: token, window: window, version: self.framedVersion)
    return [.tell(stream: stream, event)]
  }
}

extension Composition {
  /// Whether it shows the reason of the failure that a toast tells of.
  ///
  /// - Complexity: O(n), n bytes, if it tells of a failure.
  func tells(_ toast: ToastContent) -> Bool {
    guard let reason = toast.failure, reason.isEmpty == false else { return false }
    return self.regions.contains { $0.rendered.contains(reason) }
  }
}

extension Post {
  /// The recipient of the toast; `nil` if it is not known, because the window has not joined yet.
  fileprivate func recipient<State>(of _: State.Type) -> Toasts<State>.Recipient? {
    if let window { return .window(window.id, stream: window.stream) }
    return self.waits ? .nextPage(self.session) : nil
  }
}
