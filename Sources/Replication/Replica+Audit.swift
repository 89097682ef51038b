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
  private static var namedParts: Int { 5 }

  /// Another server had a different state. Folds the log again, separately from the store, to find
  /// out which of them is right.
  ///
  /// - Complexity: O(n), n entries since the newest snapshot.
  func audit(_ difference: StateMarks<State>.Difference) async {
    guard let marks, let coding = self.configuration.coding,
      self.divergence.withLock({ $0 == nil }),
      ContinuousClock.now >= self.nextAudit, let known = marks.known, let newest = known.marks.last
    else { return }
    self.nextAudit = .now + Self.auditInterval
    do {
      guard let audited = try await self.refold(coding, upTo: known.marks.map(\.sequence))
      else { return }
      let alike = known.marks.last(where: audited.marks.contains)
      let different = known.marks.first { mark in
        audited.marks.contains { $0.sequence == mark.sequence && $0.digest != mark.digest }
      }
      guard let different else {
        return self.configuration.logger.error(
          "Another server's state differs from the log. Restart it, so that it begins with the log's state",
          metadata: ["server": "\(difference.node)", "entry": "\(difference.mark.sequence)"]
        )
      }
      let parts = coding.differences(audited.state, known.state)
      let named = parts.prefix(Self.namedParts).joined(separator: ", ")
      let divergence = ReplicaError(
        code: .stopped,
        message: "After entry \(different.sequence) the state differs from that of the log"
          + (alike.map { "; after entry \($0.sequence) it was" } ?? "")
          + (parts.isEmpty ? "" : ". After entry \(newest.sequence) it differs in \(named)")
          + (parts.count > Self.namedParts ? " and \(parts.count - Self.namedParts) more" : "")
          + ". Restart it, so that it begins with the log's state."
      )
      self.divergence.withLock { $0 = divergence }
    } catch {
      self.configuration.logger.error(
        "Another server has a different state, and the log could not be read to find out which is right",
        metadata: [
          "server": "\(difference.node)", "entry": "\(difference.mark.sequence)",
          "error": "\(error)",
        ]
      )
    }
  }

  /// Compares this server's state with what the log gives. There is nothing to compare if the newest
  /// snapshot is newer.
  ///
  /// - Parameters:
  ///   - digest: The digest of the state.
  ///   - sequence: The sequence of the newest entry that the state contains.
  /// - Throws: ``ReplicaError`` with code `stopped` if they differ; `ActionLogError`.
  nonisolated func check(
    _ digest: String,
    _ coding: SnapshotCoding<State>,
    at sequence: UInt64
  ) async throws {
    guard let right = try await self.refold(coding, upTo: [sequence])?.marks.last?.digest,
      right != digest
    else { return }
    throw ReplicaError(
      code: .stopped,
      message: "After entry \(sequence) the state differs from that of the log "
        + "(\(digest), \(right)). Restart it, so that it begins with the log's state."
    )
  }

  /// Folds the log.
  ///
  /// - Parameter sequences: The sequences at which to make marks, in ascending order.
  /// - Returns: Their marks, and the state after the last of them; `nil` if the newest snapshot is newer.
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
      for sequenced in try await self.log.page(after: sequence, limit: 1_000).entries
      where sequence < last {
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
