import ActionLogs
import Foundation
import ImmutableData
import Logging

// Finding out whose state is not that of the log.
extension Replica {
  /// The log is read again for this at most once in so long.
  private static var auditInterval: Duration { .seconds(60) }
  /// So many parts are named.
  private static var namedParts: Int { 5 }

  /// Another server has had another state. The log is folded once more, beside the store: it knows which
  /// of them is right.
  ///
  /// - Complexity: O(n), n entries since the newest snapshot.
  func audit(_ difference: StateMarks<State>.Difference) async {
    guard let marks, let coding = self.configuration.coding, self.divergence == nil,
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
          "Another server has another state than the log leads to. End it: it begins with the log's",
          metadata: ["server": "\(difference.node)", "entry": "\(difference.mark.sequence)"]
        )
      }
      let parts = coding.differences(audited.state, known.state)
      let named = parts.prefix(Self.namedParts).joined(separator: ", ")
      self.divergence = ReplicaError(
        code: .stopped,
        message: "After entry \(different.sequence) the state is not what the log leads to"
          + (alike.map { "; after entry \($0.sequence) it was" } ?? "")
          + (parts.isEmpty ? "" : ". After entry \(newest.sequence) it differs in \(named)")
          + (parts.count > Self.namedParts ? " and \(parts.count - Self.namedParts) more" : "")
          + ". Start it again: it begins with the log's."
      )
    } catch {
      self.configuration.logger.error(
        "Another server has another state, and the log could not be read to find out which is right",
        metadata: [
          "server": "\(difference.node)", "entry": "\(difference.mark.sequence)",
          "error": "\(error)",
        ]
      )
    }
  }

  /// Folds the log.
  ///
  /// - Parameter sequences: After which entries marks are wanted, in their order.
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
        // What is refused changes nothing.
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
