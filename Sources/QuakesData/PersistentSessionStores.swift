/// Where the earthquakes are kept on this machine.
///
/// Every call has to end, if with an error: those after it wait, and so may a refresh.
///
/// Source: the guide, chapter QuakesData, section PersistentSession.
public protocol PersistentSessionLocalStore: Sendable {
  /// - Throws: When the store cannot be read; nothing has changed.
  func fetchLocalQuakesQuery() async throws -> [Quake]

  /// Saves what a refresh has changed, all of it or nothing.
  ///
  /// - Parameters:
  ///   - inserted: New to the state; the store may have them all the same.
  ///   - updated: Differ from what the state had.
  ///   - deleted: No longer in the state.
  /// - Throws: When it cannot be saved; nothing has changed.
  func didFetchRemoteQuakesMutation(
    inserted: [Quake],
    updated: [Quake],
    deleted: [Quake]
  ) async throws

  /// Deletes a quake; one that is not there is as good as deleted.
  ///
  /// - Throws: When it cannot be deleted; nothing has changed.
  func deleteLocalQuakeMutation(quakeId: Quake.ID) async throws

  /// Deletes every quake.
  ///
  /// - Throws: When they cannot be deleted; nothing has changed.
  func deleteLocalQuakesMutation() async throws

  /// Beyond the guide: which quakes were deleted, and have not been saved again since. A refresh that
  /// nobody asked for does not bring them back. A store that forgets them need not have it.
  ///
  /// - Throws: When the store cannot be read.
  func fetchDeletedQuakesQuery() async throws -> Set<Quake.ID>

  /// Beyond the guide: follows what others write to the store, until the task is cancelled. A store
  /// that nobody else writes to need not have it.
  ///
  /// - Parameter body: Called after others have written.
  /// - Throws: When it cannot be followed any longer, or what `body` throws. Without an error it
  ///   returns only when there is nothing to follow.
  func followChanges(_ body: @Sendable () async throws -> Void) async throws
}

extension PersistentSessionLocalStore {
  public func fetchDeletedQuakesQuery() async throws -> Set<Quake.ID> { [] }

  public func followChanges(_ body: @Sendable () async throws -> Void) async throws {}
}

/// Where the earthquakes come from.
///
/// Source: the guide, chapter QuakesData, section PersistentSession.
public protocol PersistentSessionRemoteStore: Sendable {
  /// - Parameter range: How far back the quakes go.
  /// - Returns: All there are, those of a magnitude of zero and below too.
  /// - Throws: When there is no answer, or none that can be read.
  func fetchRemoteQuakesQuery(
    range: QuakesAction.UI.QuakeList.RefreshQuakesRange
  ) async throws -> [Quake]
}

/// A remote store that also says how much it could not read, so that a window can.
///
/// Beyond the guide, whose protocol stays as it is: a store that conforms only to that one is taken
/// to have read everything. A ``Listener`` asks a store for its feed if it has one, and for the
/// guide's query otherwise, never for both.
public protocol PersistentSessionFeedStore: PersistentSessionRemoteStore {
  /// - Parameter range: How far back the quakes go.
  /// - Throws: When there is no answer, or none that can be read as a whole.
  func fetchRemoteQuakesFeed(
    range: QuakesAction.UI.QuakeList.RefreshQuakesRange
  ) async throws -> QuakesFeed
}

/// What a feed had to say.
public struct QuakesFeed: Hashable, Sendable {
  public let quakes: [Quake]
  /// How many features could not be read and are missing from ``quakes``.
  public let skipped: Int

  public init(quakes: [Quake], skipped: Int) {
    self.quakes = quakes
    self.skipped = skipped
  }
}

extension PersistentSessionFeedStore {
  public func fetchRemoteQuakesQuery(
    range: QuakesAction.UI.QuakeList.RefreshQuakesRange
  ) async throws -> [Quake] {
    try await self.fetchRemoteQuakesFeed(range: range).quakes
  }
}
