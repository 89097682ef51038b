import HashTreeCollections
public import ImmutableData

/// Keeps the earthquakes in the state of a store, for states that are kept as a whole: in a log that
/// several servers share. What an action has changed is then kept, and there is nothing to write.
public struct StateStore: PersistentSessionLocalStore {
  private let store: Store<QuakesState, QuakesAction>

  public init(_ store: Store<QuakesState, QuakesAction>) {
    self.store = store
  }

  /// - Complexity: O(n), n quakes.
  public func fetchLocalQuakesQuery() async throws -> [Quake] {
    Array(self.store.snapshot().state.quakes.data.values)
  }

  /// - Complexity: O(n), n quakes that were deleted.
  public func fetchDeletedQuakesQuery() async throws -> Set<Quake.ID> {
    self.store.snapshot().state.quakes.deletedIDs.ids
  }

  public func didFetchRemoteQuakesMutation(
    inserted: [Quake],
    updated: [Quake],
    deleted: [Quake]
  ) async throws {}

  public func deleteLocalQuakeMutation(quakeId: Quake.ID) async throws {}

  public func deleteLocalQuakesMutation() async throws {}
}
