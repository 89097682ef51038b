/// What a submission came to.
public enum SubmissionAnswer: Sendable {
  /// It was reduced; the store has this version.
  case accepted(version: UInt64)
  /// Nothing has changed.
  case refused(Refusal, version: UInt64)
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
  ///   - session: Who posted it.
  ///   - window: The window that posted it, if any; its stream gets an event for the version.
  /// - Throws: ``WindowError``; nothing has changed.
  public func submit(
    _ fields: FormFields,
    to path: String,
    session: Identifier,
    window: Identifier?
  ) async throws -> SubmissionAnswer {
    guard let page = self.pages[path] else {
      throw WindowError(code: .unknownPage, message: "There is no page at \(path).")
    }
    let stream = try window.map { try self.window($0, of: session).stream }
    guard page.store.backlog() <= self.configuration.backlog else {
      throw WindowError(
        code: .overloaded,
        message: "The server is busy. Nothing has changed; try again in a moment."
      )
    }
    let token = fields[FormField.token].flatMap { $0.isEmpty ? nil : $0 }
    let key = token.map { SubmissionKey(path: path, token: $0) }
    let answer = await self.submissions.answer(to: key) {
      do {
        return .accepted(version: try await page.submit(fields[FormField.form] ?? "", fields))
      } catch let refusal as Refusal {
        return .refused(refusal, version: page.store.snapshot().version)
      } catch {
        return .refused(Refusal(error), version: page.store.snapshot().version)
      }
    }
    if let stream, case .accepted(let version) = answer {
      self.owe(version, of: page.store, to: stream)
    }
    return answer
  }
}
