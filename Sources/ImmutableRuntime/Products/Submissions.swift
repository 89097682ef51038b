import ImmutableUI
import Synchronization

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

/// A submission that was reduced: what an answer to it, or to a resend of it, needs.
struct AcceptedSubmission: Sendable {
  /// The store's version with its action.
  let version: UInt64
  let name: String
  /// Where it takes the window that posted it, if elsewhere: its local state as a query.
  let target: String?
}

/// The submissions of a product that were accepted, or are under way.
///
/// It remembers the newest, within 8 MB: some 30,000, for a resend comes soon or never.
final class Submissions: Sendable {
  typealias Answer = Result<AcceptedSubmission, Refusal>

  private struct Contents {
    /// Each belongs to a request that waits for it, and goes with that.
    var underWay: [SubmissionKey: Task<Answer, Never>] = [:]
    var accepted = Cache<SubmissionKey, AcceptedSubmission>(limit: 8 << 20)

    mutating func end(_ key: SubmissionKey, _ answer: Answer) {
      self.underWay[key] = nil
      if case .success(let submission) = answer {
        self.accepted.insert(submission, for: key, bytes: submission.heapSize)
      }
    }
  }

  private let contents = Mutex(Contents())

  /// What is remembered: how many submissions, and their bytes.
  var size: (count: Int, bytes: Int) {
    self.contents.withLock { ($0.accepted.count, $0.accepted.bytes) }
  }

  /// Carries a submission out, unless it was: then it gives the first answer.
  ///
  /// - Parameter key: `nil` for a submission without a token, which cannot be told from another.
  func answer(
    to key: SubmissionKey?,
    _ submit: @escaping @Sendable () async -> Answer
  ) async -> Answer {
    guard let key else { return await submit() }
    let task = self.contents.withLock { contents -> Task<Answer, Never> in
      if let submission = contents.accepted[key] { return Task { .success(submission) } }
      if let task = contents.underWay[key] { return task }
      let task = Task<Answer, Never> {
        let answer = await submit()
        self.contents.withLock { $0.end(key, answer) }
        return answer
      }
      contents.underWay[key] = task
      return task
    }
    return await task.value
  }
}

extension AcceptedSubmission {
  fileprivate var heapSize: Int {
    self.name.heapSize + (self.target?.heapSize ?? 0)
  }
}
