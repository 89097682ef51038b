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
  private static let limit = 65_536

  private var answers: [SubmissionKey: Task<SubmissionAnswer, Never>] = [:]
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
    if let task = self.answers[key] {
      return await task.value
    }
    let task = Task { await submit() }
    self.answers[key] = task
    let answer = await task.value
    switch answer {
    case .accepted: self.remember(key)
    case .refused: self.answers[key] = nil
    }
    return answer
  }

  private func remember(_ key: SubmissionKey) {
    if self.order.count < Self.limit {
      self.order.append(key)
    } else {
      self.answers[self.order[self.oldest]] = nil
      self.order[self.oldest] = key
      self.oldest = (self.oldest + 1) % Self.limit
    }
  }
}
