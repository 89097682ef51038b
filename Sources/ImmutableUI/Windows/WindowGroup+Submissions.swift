import ImmutableData

/// What a submission came to.
public enum SubmissionAnswer: Sendable {
  /// It was reduced; its effect may not have ended.
  case accepted(AcceptedSubmission)
  /// Nothing has changed.
  case refused(Refusal, version: UInt64)
}

/// A submission that was reduced.
public struct AcceptedSubmission: Sendable {
  /// The store's version with its action.
  public let version: UInt64
  let name: String
  /// Where it takes the window that posted it, if elsewhere: its local state as a query.
  let target: String?
}

extension WindowGroup {
  /// Makes a submitted form an action and dispatches it, once.
  ///
  /// A submission that was accepted before is not carried out again: whoever sends it again gets the
  /// first answer. One that was refused had no effect, so it may be mended and sent again.
  ///
  /// - Parameters:
  ///   - fields: All fields; ``FormField/form`` names the form, ``FormField/token`` the submission.
  ///   - path: The page that it was posted to.
  ///   - query: Its local state, as it was requested.
  ///   - session: Who posted it.
  ///   - environment: That of who posted it.
  ///   - window: The window that posted it, if any; its stream gets an event for the version.
  /// - Throws: ``WindowError``; nothing has changed.
  public func submit(
    _ fields: FormFields,
    to path: String,
    query: Query = Query(),
    session: Identifier,
    environment: WindowEnvironment = WindowEnvironment(),
    window: Identifier?
  ) async throws -> SubmissionAnswer {
    guard let page = self.pages[path] else {
      throw WindowError(code: .unknownPage, message: "There is no page at \(path).")
    }
    let stream = try window.map { try self.window($0, of: session).stream }
    try self.refuseIfOverloaded(page)
    let token = fields[FormField.token].flatMap { $0.isEmpty ? nil : $0 }
    let key = token.map { SubmissionKey(path: path, token: $0) }
    let name = key?.text ?? Identifier().text
    let location = page.locate(query, environment)
    let begun = ContinuousClock.now
    let post = Identifier()
    self.posts[post] = page.store.rootVersion()
    defer { self.posts[post] = nil }
    let templates = self.templates
    let answer = await self.submissions.answer(to: key) {
      do {
        let form = fields[FormField.form] ?? ""
        let templates = try templates.get()
        let (submission, effect) = try await page.submit(form, fields, location, name, templates)
        await self.didDispatch(submission, to: page.store, at: begun)
        if let effect {
          await self.watch(submission, page.store, effect, fields, session)
        }
        return .accepted(submission)
      } catch {
        let version = page.store.snapshot().version
        self.logUnlessRefusal(error, at: path, form: fields[FormField.form] ?? "")
        return .refused(Refusal(error), version: version)
      }
    }
    if let stream, case .accepted(let submission) = answer {
      self.owe(submission.version, of: page.store, to: stream)
    }
    return answer
  }

  /// The forms that can be posted to a page, by name, with the names of their fields.
  public func forms(at path: String) -> [String: [String]] {
    guard let page = self.pages[path], let templates = try? self.templates.get() else { return [:] }
    return page.forms(templates)
  }

  private func didDispatch(
    _ submission: AcceptedSubmission,
    to store: StoreSource,
    at instant: ContinuousClock.Instant
  ) {
    self.metrics.didDispatch(submission.version, to: store.id, at: instant)
    // Its frame may have been made before this was reached; the next may be far away.
    self.metrics.didPush(self.framedVersions)
  }

  private func watch(
    _ submission: AcceptedSubmission,
    _ store: StoreSource,
    _ effect: Effect,
    _ fields: FormFields,
    _ session: Identifier
  ) {
    self.drafts.keep(fields, of: submission.name, session)
    let ended = self.outcomes.add(submission, store, effect, bytes: fields.heapSize)
    self.didEnd(ended, of: store)
  }

  /// How the effect of a submission stands; `nil`: it has none.
  public func effect(of submission: AcceptedSubmission) -> EffectStatus? {
    for store in self.stores { self.updateOutcomes(of: store) }
    return self.outcomes[submission.name]
  }

  /// Waits until the effect of a submission has ended, but not for long.
  ///
  /// - Parameters:
  ///   - submission: One that was accepted.
  ///   - path: The page that it was posted to.
  /// - Returns: How it stands; `nil`: it has none.
  public func settle(_ submission: AcceptedSubmission, at path: String) async -> EffectStatus? {
    if let page = self.pages[path] {
      await self.wait(in: page, for: self.configuration.effectTimeout) { _ in
        self.outcomes[submission.name] == .waiting
      }
    }
    return self.effect(of: submission)
  }

  /// Where a submission takes the window that posted it, as things stand now: path and query.
  ///
  /// - Parameters:
  ///   - path: The page that it was posted to.
  ///   - query: Its local state, as it was posted.
  ///   - environment: That of who posted it.
  public func url(
    after submission: AcceptedSubmission,
    at path: String,
    query: Query,
    environment: WindowEnvironment = WindowEnvironment()
  ) -> String {
    guard let page = self.pages[path] else { return path }
    let location = page.locate(submission.target.map { Query($0) } ?? query, environment)
    return self.normalize(page, location, self.snapshot(of: page).snapshot).url
  }

  /// The newest snapshot of a page's store, for ``normalize(_:_:_:)``.
  func snapshot(of page: ProvidedPage) -> (version: UInt64, snapshot: any Sendable) {
    let newest = page.store.snapshot()
    self.updateOutcomes(of: page.store)
    return newest
  }

  /// Looks at which effects have ended. Call it after a snapshot was taken, for what is worked out
  /// from that: a place that saw an effect end in the snapshot but waiting here would stay as it is
  /// until the next action.
  ///
  /// - Complexity: O(1) if nothing has happened; else O(o * a), o operations under way, a actions since.
  func updateOutcomes(of store: StoreSource) {
    self.didEnd(self.outcomes.update(store), of: store)
  }

  private func didEnd(_ submissions: [String], of store: StoreSource) {
    guard submissions.isEmpty == false else { return }
    self.endedSubmissions[store.id, default: []] += submissions
    for name in submissions where self.outcomes[name] == .success {
      self.drafts.remove(name)
    }
  }

  /// A location as it should be: after what has ended meanwhile, in a state.
  ///
  /// - Parameter snapshot: Of the page's store, no newer than the outcomes (``snapshot(of:)``).
  func normalize(
    _ page: ProvidedPage,
    _ location: Location,
    _ snapshot: any Sendable
  ) -> Location {
    var location = location
    if let name = page.submission(location) {
      let outcome = self.outcomes[name]
      if outcome != .waiting { location = page.settle(location, outcome) }
    }
    return page.normalize(location, snapshot)
  }

  private func refuseIfOverloaded(_ page: ProvidedPage) throws {
    // What a listener has not begun yet is in its backlog.
    let underWay = self.effects.map(\.count).reduce(page.store.backlog(), +)
    guard underWay <= self.configuration.backlog else {
      throw WindowError(
        code: .overloaded,
        message: "The server is busy. Nothing has changed; try again in a moment."
      )
    }
  }

  /// Waits until no effect is under way and every action was seen by whom it concerns.
  ///
  /// - Parameter limit: How long at most.
  /// - Returns: Whether that is so.
  public nonisolated func finishEffects(within limit: Duration) async -> Bool {
    let deadline = ContinuousClock.now + limit
    while ContinuousClock.now < deadline {
      if await self.isIdle { return true }
      try? await Task.sleep(for: .milliseconds(10))
    }
    return false
  }

  /// Whether no effect is under way or about to begin. On the main actor, where actions are dispatched
  /// and effects begin: between the two looks neither happens.
  @MainActor private var isIdle: Bool {
    self.stores.allSatisfy { $0.backlog() == 0 } && self.effects.allSatisfy { $0.count == 0 }
  }
}
