import ImmutableUI
import Synchronization

/// Identifies a submission. Tokens are random, so they are unique across all sessions. They are not
/// secret: sending a known token again returns its first answer and changes nothing.
struct SubmissionKey: Hashable, Sendable {
  private let tag: Tag

  /// 22 characters.
  var text: String { self.tag.text }

  init(path: String, token: String) {
    self.tag = Submission.tag(of: token, at: path)
  }
}

/// A submission that was reduced, with what is needed to answer it or a resend of it.
struct AcceptedSubmission: Sendable {
  /// The store's version that includes its action.
  let version: UInt64
  let name: String
  /// The local state, as a query, of the window that posted it; `nil` if it does not change.
  let target: String?
}

/// The submissions of a product that were accepted or are in progress.
///
/// It remembers the newest 16 MB, about 30,000 submissions, and a quarter of that for each client.
/// That is enough, because a resend comes soon or not at all.
final class Submissions: Sendable {
  typealias Answer = Result<AcceptedSubmission, Refusal>

  private struct Contents {
    /// Each entry belongs to a request that waits for it, so the number of requests bounds it.
    var underWay: [SubmissionKey: Task<Answer, Never>] = [:]
    var accepted = Cache<SubmissionKey, AcceptedSubmission>(limit: 16 << 20, isShared: true)

    mutating func end(_ key: SubmissionKey, of client: String, _ answer: Answer) {
      self.underWay[key] = nil
      if case .success(let submission) = answer {
        self.accepted.insert(submission, for: key, bytes: submission.heapSize, of: client)
      }
    }
  }

  private let contents = Mutex(Contents())

  /// The number of remembered submissions, and their size in bytes.
  var size: (count: Int, bytes: Int) {
    self.contents.withLock { ($0.accepted.count, $0.accepted.bytes) }
  }

  /// A submission that was accepted; `nil` if it is not known.
  subscript(key: SubmissionKey) -> AcceptedSubmission? {
    self.contents.withLock { $0.accepted[key] }
  }

  /// Carries out a submission, or returns the first answer if it was carried out before.
  ///
  /// - Parameters:
  ///   - key: `nil` for a submission without a token, which is always carried out.
  ///   - client: The network of the client.
  func answer(
    to key: SubmissionKey?,
    of client: String,
    _ submit: @escaping @Sendable () async -> Answer
  ) async -> Answer {
    guard let key else { return await submit() }
    let task = self.contents.withLock { contents -> Task<Answer, Never> in
      if let submission = contents.accepted[key] { return Task { .success(submission) } }
      if let task = contents.underWay[key] { return task }
      let task = Task<Answer, Never> {
        let answer = await submit()
        self.contents.withLock { $0.end(key, of: client, answer) }
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
