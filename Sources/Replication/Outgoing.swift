import ActionLogs
import Foundation
import ImmutableData
import Logging

/// Sends the actions of one replica to the log, and tells those who wait what came of them.
@MainActor final class Outgoing<Action: Codable & Sendable>: ActionSequencer {
  private let log: any ActionLog
  private let queue: AppendQueue
  private let configuration: Configuration
  /// Where actions came from that are not folded yet. Bounded by posts and effects under way.
  private var origins: [String: ActionOrigin] = [:]
  /// Who waits for entries to be folded, by sequence. One for each post under way.
  private var waiting: [UInt64: [CheckedContinuation<Void, any Error>]] = [:]
  private(set) var decisions: Decisions
  private var folded: UInt64
  private let newestMark: @Sendable () -> StateMark?
  /// That of the newest mark that was sent: each is sent once.
  private var sentMark: UInt64 = 0
  private var sentCount = 0
  /// Is given what was appended, before whoever has sent it is answered: mostly it is the next entry,
  /// which then need not be read.
  var onAppended: (SequencedEntry) -> Void = { _ in }
  /// Why nothing can be sent any more.
  private(set) var stop: ReplicaError?

  /// What entries are made with.
  struct Configuration: Sendable {
    let node: String
    let product: String
    let reducer: Int
    let logger: Logger
  }

  /// - Parameters:
  ///   - sequence: That of the newest entry that is in the state.
  ///   - decisions: What became of the entries up to it.
  ///   - newestMark: What the state was not long ago; others are told.
  init(
    _ log: some ActionLog,
    _ configuration: Configuration,
    after sequence: UInt64,
    _ decisions: Decisions,
    newestMark: @escaping @Sendable () -> StateMark?
  ) {
    self.log = log
    self.queue = AppendQueue(log)
    self.configuration = configuration
    self.decisions = decisions
    self.folded = sequence
    self.newestMark = newestMark
  }

  func send(_ action: Action) {
    let id = ActionOrigin.nextActionID() ?? self.newID()
    let request: AppendRequest
    do {
      request = try self.request(action, id: id)
    } catch {
      return self.log(error, id)
    }
    self.origins[id] = ActionOrigin.current
    self.queue.appendPersistently(request) { result in
      Task { @MainActor in
        do {
          let sequence = try self.sequence(of: result.get(), request.entry)
          if sequence <= self.folded { self.origins[id] = nil }
        } catch {
          self.origins[id] = nil
          self.log(error, id)
        }
      }
    }
  }

  private func newID() -> String {
    self.sentCount += 1
    return "\(self.configuration.node)/\(self.sentCount)"
  }

  func post(_ action: Action, id: String) async throws -> UInt64 {
    if let stop { throw stop }
    self.origins[id] = ActionOrigin.current
    let sequence: UInt64
    do {
      let request = try self.request(action, id: id)
      sequence = try self.sequence(of: await self.queue.append(request), request.entry)
    } catch {
      self.origins[id] = nil
      throw error as? ReplicaError ?? ReplicaError(error)
    }
    if sequence <= self.folded { self.origins[id] = nil }
    try await self.waitForFold(of: sequence)
    return sequence
  }

  func version(ofPost id: String) async throws -> UInt64? {
    do {
      guard let sequence = try await self.log.sequence(ofEntry: id) else { return nil }
      try await self.waitForFold(of: sequence)
      return sequence
    } catch let error as ActionLogError {
      throw ReplicaError(error)
    }
  }

  /// - Throws: What the reducer has thrown for the entry; ``ReplicaError``.
  private func waitForFold(of sequence: UInt64) async throws {
    guard sequence > self.folded else { return try self.decisions.check(sequence) }
    if let stop { throw stop }
    try await withCheckedThrowingContinuation { continuation in
      self.waiting[sequence, default: []].append(continuation)
    }
  }

  /// Where an action that was sent from here came from, for its entry that is now folded.
  func takeOrigin(of id: String) -> ActionOrigin? {
    self.origins.removeValue(forKey: id)
  }

  /// Tells those who wait for an entry that it was reduced, or refused.
  func didFold(_ sequence: UInt64, _ result: Result<Void, any Error>) {
    self.folded = sequence
    if case .failure(let error) = result { self.decisions.refuse(sequence, error) }
    for continuation in self.waiting.removeValue(forKey: sequence) ?? [] {
      continuation.resume(with: result)
    }
  }

  /// Waits until everything that was sent is in the log.
  func finish(within limit: Duration) async -> Bool {
    await self.queue.finish(within: limit)
  }

  /// Tells all who wait that nobody knows when their entries are folded.
  func giveUp(_ error: ReplicaError) {
    let waiting = self.waiting.values.joined()
    self.waiting = [:]
    if error.code == .stopped { self.stop = error }
    for continuation in waiting { continuation.resume(throwing: error) }
  }

  private func request(_ action: Action, id: String) throws -> AppendRequest {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return AppendRequest(
      LogEntry(
        id: id,
        product: self.configuration.product,
        reducer: self.configuration.reducer,
        node: self.configuration.node,
        payload: try encoder.encode(EntryPayload(action: action, mark: self.nextMark()))
      )
    )
  }

  private func nextMark() -> StateMark? {
    guard let mark = self.newestMark(), mark.sequence > self.sentMark else { return nil }
    self.sentMark = mark.sequence
    return mark
  }

  private func sequence(of answer: AppendAnswer, _ entry: LogEntry) throws -> UInt64 {
    if case .appended(let sequence) = answer {
      self.onAppended(SequencedEntry(sequence: sequence, entry: entry))
    }
    if let sequence = answer.sequence { return sequence }
    throw ReplicaError.outdated(reducer: self.configuration.reducer)
  }

  private func log(_ error: any Error, _ id: String) {
    self.configuration.logger.error(
      "An action could not be written to the log",
      metadata: ["id": "\(id)", "error": "\(error)"]
    )
  }
}
