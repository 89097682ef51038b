import HashTreeCollections
public import ImmutableData

/// Keeps the earthquakes in the state itself, for states that are stored as a whole, in a log that
/// several servers share. The log stores the actions, so there is nothing else to write.
public struct StateStore: PersistentSessionLocalStore {
  private let store: Store<QuakesState, QuakesAction>

  public init(_ store: Store<QuakesState, QuakesAction>) {
    self.store = store
  }

  /// - Complexity: O(n), n quakes.
  public func fetchLocalQuakesQuery() async throws -> [Quake] {
    Array(self.store.snapshot().state.quakes.data.values)
  }

  /// - Complexity: O(n), n deleted quakes.
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
