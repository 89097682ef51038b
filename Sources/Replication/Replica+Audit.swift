import ActionLogs
import Foundation
import ImmutableData
import Logging
import Synchronization

// Finding out which server's state is wrong.
extension Replica {
  /// The minimum time between two audits.
  private static var auditInterval: Duration { .seconds(60) }
  /// The maximum number of parts that an error names.
  private nonisolated static var namedParts: Int { 5 }

  /// What the log says about this server's states.
  enum Verdict {
    case right
    case wrong(ReplicaError)
    /// The newest snapshot is newer than these states.
    case unknown
  }

  /// Another server had a different state. Folds the log again, separately from the store, to find
  /// out which of them is right.
  ///
  /// - Complexity: O(n), n entries since the newest snapshot.
  func audit(_ difference: StateMarks<State>.Difference) async {
    guard let marks, let coding = self.configuration.coding,
      self.divergence.withLock({ $0 == nil }),
      ContinuousClock.now >= self.nextAudit, let known = marks.known
    else { return }
    self.nextAudit = .now + Self.auditInterval
    let other: Logger.Metadata = [
      "server": "\(difference.node)", "entry": "\(difference.mark.sequence)",
    ]
    do {
      switch try await self.verdict(on: known.marks, known.state, coding) {
      case .unknown: return
      case .wrong(let error): self.divergence.withLock { $0 = error }
      case .right:
        self.configuration.logger.error(
          "Another server's state differs from the log. Restart it, so that it begins with the log's state",
          metadata: other
        )
      }
    } catch {
      self.configuration.logger.error(
        "Another server has a different state, and the log could not be read to find out which is right",
        metadata: other.merging(["error": "\(error)"]) { $1 }
      )
    }
  }

  /// Compares this server's states with those that the log leads to.
  ///
  /// - Parameters:
  ///   - marks: The digests of some of its states, oldest first.
  ///   - state: The state of the last mark.
  ///   - coding: How states are encoded.
  /// - Throws: `ActionLogError`, or ``ReplicaError`` with code `stopped` if the log cannot be folded.
  /// - Complexity: O(n), n entries since the newest snapshot, besides the reducer.
  nonisolated func verdict(
    on marks: [StateMark],
    _ state: State,
    _ coding: SnapshotCoding<State>
  ) async throws -> Verdict {
    guard let newest = marks.last,
      let audited = try await self.refold(coding, upTo: marks.map(\.sequence))
    else { return .unknown }
    let different = marks.first { mark in
      audited.marks.contains { $0.sequence == mark.sequence && $0.digest != mark.digest }
    }
    guard let different else { return .right }
    let alike = marks.last(where: audited.marks.contains)
    let parts = coding.differences(audited.state, state)
    let named = parts.prefix(Self.namedParts).joined(separator: ", ")
    return .wrong(
      ReplicaError(
        code: .stopped,
        message: "After entry \(different.sequence) the state differs from that of the log"
          + (alike.map { "; after entry \($0.sequence) it was still right" } ?? "")
          + (parts.isEmpty ? "" : ". After entry \(newest.sequence) it differs in \(named)")
          + (parts.count > Self.namedParts ? " and \(parts.count - Self.namedParts) more" : "")
          + ". Restart it, so that it begins with the log's state."
      ))
  }

  /// Folds the log.
  ///
  /// - Parameter sequences: The sequences at which to make marks, in ascending order.
  /// - Returns: Their marks, and the state after the last of them; `nil` if the newest snapshot is newer.
  /// - Throws: `ActionLogError`: `ahead` if the log does not have all these entries; ``ReplicaError``
  ///   with code `stopped` if an entry is not for this release.
  @concurrent private nonisolated func refold(
    _ coding: SnapshotCoding<State>,
    upTo sequences: [UInt64]
  ) async throws -> (marks: [StateMark], state: State)? {
    let start = try Start(
      try await self.log.newestSnapshot(), self.configuration, orElse: self.initialState)
    guard let last = sequences.last, start.sequence <= last else { return nil }
    var (state, sequence) = (start.state, start.sequence)
    let marked = StateMarks(coding, interval: 1)
    let decoder = JSONDecoder()
    if sequences.contains(sequence) { marked.follow(state, sequence) }
    while sequence < last {
      let page = try await self.log.page(after: sequence, limit: 1_000)
      guard page.entries.isEmpty == false else { throw ActionLogError.ahead(of: page.head, last) }
      for sequenced in page.entries where sequence < last {
        let entry = try Self.decode(sequenced, self.configuration, decoder)
        // A refused action changes nothing.
        let next = try? entry.contents.map { contents in
          try self.reducer.reduce(state: state, action: contents.action)
        }
        (state, sequence) = (next ?? state, entry.sequence)
        if sequences.contains(sequence) { marked.follow(state, sequence) }
      }
    }
    return marked.known
  }
}
