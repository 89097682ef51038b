import ActionLogs
import Foundation
import ImmutableData
import Logging

/// Sends the actions of one replica to the log, and passes the results to the callers that wait for
/// them.
@MainActor final class Outgoing<Action: Codable & Sendable>: ActionSequencer {
  private let log: any ActionLog
  private let queue: AppendQueue
  private let inquiries: Inquiries
  private let configuration: Configuration
  private let metrics = ReplicaMetrics()
  private var origins = Origins()
  /// The actions of pages that appeared, while they are on their way to the log. The first of equal
  /// actions is enough, and a page without data asks for it each time that it is loaded. Bounded by
  /// the number of different actions of pages, which is small.
  private var appearances: Set<String> = []
  /// Callers that wait for entries to be folded, by sequence. One for each post in progress.
  private var waiting: [UInt64: [CheckedContinuation<Void, any Error>]] = [:]
  private(set) var decisions: Decisions
  private var folded: UInt64
  private let nextMark: @Sendable (_ sent: UInt64, _ folded: UInt64) -> StateMark?
  private let leaderLease: @Sendable () -> Lease?
  /// The sequence of the newest mark that was sent. Each mark is sent once.
  private var sentMark: UInt64 = 0
  private var sentCount = 0
  /// Receives each appended entry before its sender gets an answer. It is usually the next entry to
  /// fold, which then need not be read from the log. The payload is included if it is small and was
  /// decoded in the meantime.
  var onAppended: (SequencedEntry, EntryPayload<Action>?) -> Void = { _, _ in }
  /// Receives the error of each post that did not reach the log, and of each action that the
  /// database refused.
  var onUnavailable: (ActionLogError) -> Void = { _ in }
  private let encoder = JSONEncoder()
  private let decoder = JSONDecoder()
  /// Why posts are refused for a while. The results of effects are sent nevertheless.
  var pause: ReplicaError?
  /// Why nothing can be sent any more.
  private(set) var stop: ReplicaError?

  /// The values that all entries of this replica share.
  struct Configuration: Sendable {
    let node: String
    let product: String
    let reducer: Int
    let logger: Logger
  }

  /// - Parameters:
  ///   - sequence: The sequence of the newest entry that the state contains.
  ///   - decisions: The results of the entries up to it.
  ///   - nextMark: A recent digest of the state, which is sent to other servers
  ///     (``StateMarks/next(after:at:)``).
  ///   - leaderLease: The newest lease under which this process has followed outside events.
  init(
    _ log: some ActionLog,
    _ configuration: Configuration,
    after sequence: UInt64,
    _ decisions: Decisions,
    nextMark: @escaping @Sendable (_ sent: UInt64, _ folded: UInt64) -> StateMark?,
    leaderLease: @escaping @Sendable () -> Lease?
  ) {
    self.log = log
    self.queue = AppendQueue(log)
    self.inquiries = Inquiries(log)
    self.configuration = configuration
    self.decisions = decisions
    self.folded = sequence
    self.nextMark = nextMark
    self.leaderLease = leaderLease
    self.encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
  }

  func send(_ action: Action) throws {
    let appearance: String? = if case .page = ActionOrigin.current { "\(action)" } else { nil }
    if let appearance, self.appearances.insert(appearance).inserted == false { return }
    let id = ActionOrigin.nextActionID(of: action) ?? self.newID()
    let request: AppendRequest
    do {
      request = try self.request(action, id: id, fence: self.fence)
      try self.log.limits.check(request.entry)
    } catch {
      if let appearance { self.appearances.remove(appearance) }
      self.metrics.didFailToAppend()
      self.log(error, id)
      throw (error as? ActionLogError)?.code == .tooLarge ? ActionTooLargeError() : error
    }
    let sending = self.origins.add(id)
    self.queue.append(request, isPersistent: true) { result in
      Task { @MainActor in
        if let appearance { self.appearances.remove(appearance) }
        do {
          let sequence = try self.sequence(of: result.get(), request.entry)
          self.didAppend(sending, at: sequence)
        } catch {
          self.origins.remove(sending)
          self.metrics.didFailToAppend()
          self.log(error, id)
          if let error = error as? ActionLogError, [.foreign, .ahead].contains(error.code) {
            self.onUnavailable(error)
          }
        }
      }
    }
  }

  /// A process that was stopped, and has lost the lead meanwhile, must not report outside events, which
  /// the new leader follows. Other actions have ids by which the log knows them.
  private var fence: Lease? {
    switch ActionOrigin.current {
    case .outside, .effect(_, version: nil): self.leaderLease()
    case .form, .page, .effect, .elsewhere, nil: nil
    }
  }

  private func newID() -> String {
    self.sentCount += 1
    return "\(self.configuration.node)/\(self.sentCount)"
  }

  func post(_ action: Action, id: String) async throws -> UInt64 {
    if let reason = self.stop ?? self.pause { throw reason }
    let sending = self.origins.add(id)
    let sequence: UInt64
    do {
      sequence = try await self.append(
        try self.request(action, id: id, SharedPost.current))
    } catch {
      self.origins.remove(sending)
      self.metrics.didFailToAppend()
      if let error = error as? ActionLogError,
        [.unavailable, .foreign, .ahead].contains(error.code)
      {
        self.onUnavailable(error)
      }
      throw error as? ReplicaError ?? ReplicaError(error)
    }
    self.didAppend(sending, at: sequence)
    try await self.waitForFold(of: sequence)
    return sequence
  }

  private func didAppend(_ sending: Origins.Sending, at sequence: UInt64) {
    if sequence <= self.folded {
      self.origins.remove(sending)
    } else {
      self.origins.note(sending, at: sequence)
    }
  }

  /// - Returns: The sequence of the entry.
  private func append(_ request: AppendRequest) async throws -> UInt64 {
    var contents: EntryPayload<Action>?
    let begun = ContinuousClock.now
    let answer = try await withCheckedThrowingContinuation { continuation in
      self.queue.append(request) { continuation.resume(with: $0) }
      guard request.entry.isSmall else { return }
      contents = try? self.decoder.decode(EntryPayload<Action>.self, from: request.entry.payload)
    }
    let isKnown = if case .known = answer { true } else { false }
    self.metrics.didAppend(in: .now - begun, isKnown: isKnown)
    return try self.sequence(of: answer, request.entry, contents)
  }

  func catchUp() async throws {
    if let stop { throw stop }
    do {
      let head = try await self.inquiries.head(after: self.folded)
      guard head > self.folded else { return }
      do {
        try await self.waitForFold(of: head)
      } catch {
        // The reducer may have refused that entry.
        guard self.folded >= head else { throw error }
      }
    } catch let error as ActionLogError {
      throw ReplicaError(error)
    }
  }

  func version(ofPost id: String) async throws -> UInt64? {
    do {
      guard let sequence = try await self.inquiries.sequence(ofEntry: id) else { return nil }
      self.metrics.didFindKnown()
      try await self.waitForFold(of: sequence)
      return sequence
    } catch let error as ActionLogError {
      throw ReplicaError(error)
    }
  }

  /// - Throws: The reducer's error for the entry; ``ReplicaError``.
  private func waitForFold(of sequence: UInt64) async throws {
    guard sequence > self.folded else { return try self.decisions.check(sequence) }
    if let stop { throw stop }
    try await withCheckedThrowingContinuation { continuation in
      self.waiting[sequence, default: []].append(continuation)
    }
  }

  /// The origin of an action that this replica sent, now that its entry is being folded.
  func takeOrigin(of id: String) -> Origins.Origin? {
    self.origins.take(id)
  }

  /// Resumes the callers that wait for an entry that was reduced or refused.
  func didFold(_ sequence: UInt64, _ result: Result<Void, any Error>) {
    self.folded = sequence
    if case .failure(let error) = result { self.decisions.refuse(sequence, error) }
    for continuation in self.waiting.removeValue(forKey: sequence) ?? [] {
      continuation.resume(with: result)
    }
  }

  /// Goes on after entries that were not folded here, and answers the callers that wait for them.
  ///
  /// - Parameters:
  ///   - sequence: The sequence of the newest entry that the state contains now.
  ///   - decisions: The results of the entries up to it.
  func skip(to sequence: UInt64, _ decisions: Decisions) {
    self.folded = sequence
    self.decisions = decisions
    self.origins.remove(upTo: sequence)
    for number in self.waiting.keys where number <= sequence {
      let result = Result { try decisions.check(number) }
      for continuation in self.waiting.removeValue(forKey: number) ?? [] {
        continuation.resume(with: result)
      }
    }
  }

  /// Waits until everything that was sent is in the log.
  func finish(within limit: Duration) async -> Bool {
    await self.queue.finish(within: limit)
  }

  /// Resumes all waiting callers with an error, because it is unknown when their entries will be
  /// folded.
  func giveUp(_ error: ReplicaError) {
    let waiting = self.waiting.values.joined()
    self.waiting = [:]
    if error.code == .stopped { self.stop = error }
    for continuation in waiting { continuation.resume(throwing: error) }
  }

  private func request(
    _ action: Action,
    id: String,
    _ post: SharedPost? = nil,
    fence: Lease? = nil
  ) throws -> AppendRequest {
    AppendRequest(
      LogEntry(
        id: id,
        product: self.configuration.product,
        reducer: self.configuration.reducer,
        node: self.configuration.node,
        payload: try self.encoder.encode(
          EntryPayload(action: action, mark: self.takeMark(), post: post))
      ),
      fence: fence
    )
  }

  private func takeMark() -> StateMark? {
    let mark = self.nextMark(self.sentMark, self.folded)
    if let mark { self.sentMark = mark.sequence }
    return mark
  }

  private func sequence(
    of answer: AppendAnswer,
    _ entry: LogEntry,
    _ contents: EntryPayload<Action>? = nil
  ) throws -> UInt64 {
    switch answer {
    case .appended(let sequence):
      self.onAppended(SequencedEntry(sequence: sequence, entry: entry), contents)
      return sequence
    case .known(let sequence): return sequence
    case .outdated: throw ReplicaError.outdated(reducer: self.configuration.reducer)
    case .fenced:
      self.metrics.didFence()
      throw ReplicaError(
        code: .away, message: "This server has lost the lease that it wrote under.")
    }
  }

  private func log(_ error: any Error, _ id: String) {
    self.configuration.logger.error(
      "An action could not be written to the log",
      metadata: ["id": "\(id)", "error": "\(error)"]
    )
  }
}
