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
      guard snapshot.reducer <= configuration.reducer,
        let contents = try? SnapshotContents(snapshot.state),
        let state = try? coding.decode(contents.state),
        // The state of an older release has different parts.
        snapshot.reducer < configuration.reducer || coding.digest(state) == snapshot.digest
      else {
        throw ReplicaError(
          code: .stopped,
          message:
            "The snapshot after entry \(snapshot.sequence) is of reducer \(snapshot.reducer), or "
            + "damaged; this release has reducer \(configuration.reducer)."
        )
      }
      (self.state, self.sequence, self.decisions) = (state, snapshot.sequence, contents.decisions)
    }
  }
}
