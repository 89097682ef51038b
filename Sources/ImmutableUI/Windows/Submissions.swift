/// Names a submission. Tokens are random enough to be unique among all sessions, and are no secret:
/// whoever sends a known one gets its first answer and changes nothing.
struct SubmissionKey: Hashable, Sendable {
  /// Of path and token, so that a long token takes no more memory than a short one.
  private let tag: Tag

  var text: String { self.tag.text }

  init(path: String, token: String) {
    var hasher = TagHasher()
    hasher.combine(path)
    hasher.combine(token)
    self.tag = hasher.finalize()
  }
}

/// The submissions that were accepted, or are under way, and their answers.
///
/// It remembers the newest 65,536: a resend comes soon or never.
actor Submissions {
  private enum Submission {
    case underWay(Task<SubmissionAnswer, Never>)
    /// The answer alone: a task that has ended keeps the memory that it ran in, some 3 kB.
    indirect case ended(SubmissionAnswer)
  }

  private static let limit = 65_536

  private var submissions: [SubmissionKey: Submission] = [:]
  private var order: [SubmissionKey] = []
  private var oldest = 0

  /// Carries a submission out, unless it was: then it gives the first answer.
  ///
  /// - Parameter key: `nil` for a submission without a token, which cannot be told from another.
  func answer(
    to key: SubmissionKey?,
    _ submit: @escaping @Sendable () async -> SubmissionAnswer
  ) async -> SubmissionAnswer {
    guard let key else { return await submit() }
    switch self.submissions[key] {
    case .ended(let answer):
      return answer
    case .underWay(let task):
      return await task.value
    case nil:
      let task = Task { await submit() }
      self.submissions[key] = .underWay(task)
      let answer = await task.value
      switch answer {
      case .accepted: self.remember(key, answer)
      case .refused: self.submissions[key] = nil
      }
      return answer
    }
  }

  private func remember(_ key: SubmissionKey, _ answer: SubmissionAnswer) {
    self.submissions[key] = .ended(answer)
    if self.order.count < Self.limit {
      self.order.append(key)
    } else {
      self.submissions[self.order[self.oldest]] = nil
      self.order[self.oldest] = key
      self.oldest = (self.oldest + 1) % Self.limit
    }
  }
}
