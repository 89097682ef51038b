import ActionLogs
import Foundation
import ImmutableData
import Logging
import Synchronization

// Snapshots.
extension Replica {
  /// Saves the newest state as a snapshot for replicas that join later. Call it after the last
  /// action of a release that is followed by a release with another reducer.
  ///
  /// - Throws: ``ReplicaError`` with code `stopped` if another replica has another state;
  ///   `ActionLogError` with code `unavailable`.
  public func keepSnapshot() async throws {
    await self.saving?.value
    do {
      try await self.save(self.unsavedSnapshot(at: self.position.folded))
    } catch let error as ReplicaError {
      throw error
    } catch let error as ActionLogError where error.code == .unavailable {
      throw error
    } catch {
      self.didFailToSave(error)
    }
  }

  /// Saves the newest state while folding goes on, because a large state takes long. If an earlier
  /// snapshot is still being saved, the next one will do.
  func beginSnapshot() {
    guard self.saving == nil else { return }
    let snapshot = self.unsavedSnapshot(at: self.position.folded)
    self.saving = Task {
      defer { self.saving = nil }
      do {
        try await self.save(snapshot)
      } catch let error as ReplicaError {
        self.divergence.withLock { $0 = error }
      } catch {
        self.didFailToSave(error)
      }
    }
  }

  /// The replica can continue without a snapshot.
  private func didFailToSave(_ error: any Error) {
    self.configuration.logger.error("No snapshot was kept", metadata: ["error": "\(error)"])
  }

  /// What a snapshot is made of.
  struct UnsavedSnapshot: Sendable {
    let sequence: UInt64
    /// The sequence of the newest entry that the state contains. A barrier changes no state.
    let folded: UInt64
    let state: State
    let decisions: Decisions
  }

  /// - Parameter sequence: The sequence of the newest entry that the state contains, or of a barrier
  ///   after it.
  func unsavedSnapshot(at sequence: UInt64) -> UnsavedSnapshot {
    UnsavedSnapshot(
      sequence: sequence,
      folded: self.position.folded,
      state: self.store.snapshot().state,
      decisions: self.outgoing.decisions
    )
  }

  /// Saves a snapshot, unless another server has saved it. Other servers will start from it, so it is
  /// compared with the log first.
  ///
  /// - Throws: ``ReplicaError`` with code `stopped` if the log or another replica has another state;
  ///   `ActionLogError`.
  /// - Complexity: O(n), n entries since the newest snapshot, besides the reducer.
  @concurrent nonisolated func save(_ unsaved: UnsavedSnapshot) async throws {
    let sequence = unsaved.sequence
    // There already is a snapshot at the beginning, perhaps from an older release.
    guard let coding = self.configuration.coding, sequence > self.begun else { return }
    let digest = coding.digest(unsaved.state)
    // The state is only encoded and sent if no other server has saved it.
    var kept = try await self.log.digest(ofSnapshot: sequence)
    if kept == nil {
      let mark = StateMark(sequence: unsaved.folded, digest: digest)
      if case .wrong(let error) = try await self.verdict(on: [mark], unsaved.state, coding) {
        throw error
      }
      let contents = SnapshotContents(
        state: try coding.encode(unsaved.state), decisions: unsaved.decisions)
      kept = try await self.log.save(
        LogSnapshot(
          sequence: sequence,
          reducer: self.configuration.reducer,
          digest: digest,
          state: contents.data
        ))
    }
    guard let kept, kept == digest else {
      throw ReplicaError(
        code: .stopped,
        message: "After entry \(sequence) the state differs from that of the other servers "
          + "(\(digest), \(kept ?? "")). Restart it, so that it begins with theirs."
      )
    }
    await self.trim()
  }

  /// If it fails, the log is trimmed after the next snapshot.
  private nonisolated func trim() async {
    do {
      try await self.log.trim(
        keeping: self.configuration.snapshots, youngerThan: self.configuration.resendAge)
    } catch {
      self.configuration.logger.error(
        "Old entries could not be removed from the log", metadata: ["error": "\(error)"])
    }
  }
}
