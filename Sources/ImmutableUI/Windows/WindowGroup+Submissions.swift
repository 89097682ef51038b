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
  /// What local state calls it.
  let name: String?
  let status: @Sendable () -> EffectStatus?
  let location: @Sendable () -> Location

  /// How its side effect stands now; `nil`: it has none.
  public var effect: EffectStatus? { self.status() }

  /// Path and query of where the window goes that posted it, as things stand now.
  public var url: String { self.location().url }
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
    let location = page.locate(query, environment)
    let answer = await self.submissions.answer(to: key) {
      do {
        return .accepted(try await page.submit(fields[FormField.form] ?? "", fields, location))
      } catch let refusal as Refusal {
        return .refused(refusal, version: page.store.snapshot().version)
      } catch {
        return .refused(Refusal(error), version: page.store.snapshot().version)
      }
    }
    if case .accepted(let submission) = answer {
      if submission.effect != nil, let name = submission.name {
        self.drafts.keep(fields, as: name, of: session)
      }
      if let stream {
        self.owe(submission.version, of: page.store, to: stream)
      }
    }
    return answer
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

  /// Waits until the effect of a submission has ended, but not for long.
  ///
  /// - Parameters:
  ///   - submission: One that was accepted.
  ///   - path: The page that it was posted to.
  /// - Returns: How it stands; `nil`: it has none.
  public nonisolated func settle(
    _ submission: AcceptedSubmission,
    at path: String
  ) async -> EffectStatus? {
    await self.pages[path]?.store.wait(for: self.configuration.effectTimeout) {
      submission.effect != .waiting
    }
    return submission.effect
  }

  /// Waits until no effect is under way and every action was seen by whom it concerns.
  ///
  /// - Parameter limit: How long at most.
  /// - Returns: Whether that is so.
  public nonisolated func finishEffects(within limit: Duration) async -> Bool {
    let deadline = ContinuousClock.now + limit
    while ContinuousClock.now < deadline {
      if self.stores.allSatisfy({ $0.backlog() == 0 }), self.effects.allSatisfy({ $0.count == 0 }) {
        return true
      }
      try? await Task.sleep(for: .milliseconds(10))
    }
    return false
  }
}
