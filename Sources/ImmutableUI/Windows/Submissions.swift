/// Names a submission. Tokens are random enough to be unique among all sessions, and are no secret:
/// whoever sends a known one gets its first answer and changes nothing.
struct SubmissionKey: Hashable, Sendable {
  /// Of path and token, so that a long token takes no more memory than a short one.
  private let tag: Tag

  /// 22 characters.
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
/// It remembers the newest, within 8 MB: some 30,000, for a resend comes soon or never. What it keeps of
/// each is what an answer needs.
actor Submissions {
  /// Each belongs to a request that waits for it, and goes with that.
  private var underWay: [SubmissionKey: Task<SubmissionAnswer, Never>] = [:]
  private var accepted = Cache<SubmissionKey, AcceptedSubmission>(limit: 8 << 20)

  /// What is remembered: how many submissions, and their bytes.
  var size: (count: Int, bytes: Int) { (self.accepted.count, self.accepted.bytes) }

  /// Carries a submission out, unless it was: then it gives the first answer.
  ///
  /// - Parameter key: `nil` for a submission without a token, which cannot be told from another.
  func answer(
    to key: SubmissionKey?,
    _ submit: @escaping @Sendable () async -> SubmissionAnswer
  ) async -> SubmissionAnswer {
    guard let key else { return await submit() }
    if let submission = self.accepted[key] { return .accepted(submission) }
    if let task = self.underWay[key] { return await task.value }
    let task = Task { await submit() }
    self.underWay[key] = task
    let answer = await task.value
    self.underWay[key] = nil
    if case .accepted(let submission) = answer {
      self.accepted.insert(submission, for: key, bytes: submission.heapSize)
    }
    return answer
  }
}

extension AcceptedSubmission {
  fileprivate var heapSize: Int {
    self.name.heapSize + (self.target?.heapSize ?? 0)
  }
}
