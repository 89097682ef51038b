import HashTreeCollections
public import ImmutableData

/// Keeps the earthquakes in the state itself, for states that are stored as a whole, in a log that
/// several servers share. The log stores the actions, so there is nothing else to write, and
/// nothing to read: rows of the state in the result of a query could be older than those that the
/// state has when the result is reduced.
public struct StateStore: PersistentSessionLocalStore {
  private let store: Store<QuakesState, QuakesAction>

  public init(_ store: Store<QuakesState, QuakesAction>) {
    self.store = store
  }

  /// - Returns: Nothing besides what the state has.
  public func fetchLocalQuakesQuery() async throws -> [Quake] { [] }

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
