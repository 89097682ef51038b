import ActionLogs
import ImmutableData

extension Replica {
  /// The state from which folding starts.
  struct Start: Sendable {
    let state: State
    /// The sequence of the newest entry that the state contains.
    let sequence: UInt64
    let decisions: Decisions

    /// - Parameters:
    ///   - snapshot: `nil` if every entry has to be read.
    ///   - configuration: The configuration of the replica.
    ///   - initialState: The state before the first entry.
    /// - Throws: ``ReplicaError`` with code `stopped` if the snapshot is not for this release.
    init(
      _ snapshot: LogSnapshot?,
      _ configuration: ReplicaConfiguration<State>,
      orElse initialState: State
    ) throws {
      guard let snapshot, let coding = configuration.coding else {
        (self.state, self.sequence, self.decisions) = (initialState, 0, Decisions())
        return
      }
      func unreadable(_ reason: String) -> ReplicaError {
        ReplicaError(
          code: .stopped,
          message: "The snapshot after entry \(snapshot.sequence) is of reducer "
            + "\(snapshot.reducer); this release has reducer \(configuration.reducer). \(reason)"
        )
      }
      guard snapshot.reducer <= configuration.reducer else {
        throw unreadable("Start the newer release.")
      }
      let (state, contents): (State, SnapshotContents)
      do {
        contents = try SnapshotContents(snapshot.state)
        state = try coding.decode(contents.state)
      } catch {
        throw unreadable("It cannot be read: \(error)")
      }
      // The state of an older release has different parts.
      guard snapshot.reducer < configuration.reducer || coding.digest(state) == snapshot.digest
      else {
        throw unreadable("It is damaged: its digest is not that of its state.")
      }
      (self.state, self.sequence, self.decisions) = (state, snapshot.sequence, contents.decisions)
    }
  }
}
