import DatabaseFiles
import Logging

/// The store of the earthquakes on this machine.
///
/// Every call must end, even if with an error, because later calls and refreshes wait for it.
///
/// Source: the guide, chapter QuakesData, section PersistentSession.
public protocol PersistentSessionLocalStore: Sendable {
  /// Beyond the guide: whether other programs write to the store, so that what it answers must be
  /// checked.
  var hasForeignWriters: Bool { get }

  /// - Throws: When the store cannot be read; nothing has changed.
  func fetchLocalQuakesQuery() async throws -> [Quake]

  /// Saves the changes of a refresh, all or none of them.
  ///
  /// - Parameters:
  ///   - inserted: Quakes that are new to the state; the store may already have them.
  ///   - updated: Quakes whose values in the state have changed.
  ///   - deleted: Quakes that are no longer in the state.
  /// - Throws: When it cannot be saved; nothing has changed.
  func didFetchRemoteQuakesMutation(
    inserted: [Quake],
    updated: [Quake],
    deleted: [Quake]
  ) async throws

  /// Deletes a quake. A missing quake counts as deleted.
  ///
  /// - Throws: When it cannot be deleted; nothing has changed.
  func deleteLocalQuakeMutation(quakeId: Quake.ID) async throws

  /// Deletes every quake.
  ///
  /// - Throws: When they cannot be deleted; nothing has changed.
  func deleteLocalQuakesMutation() async throws

  /// Beyond the guide: deletes several quakes. Missing ones count as deleted.
  ///
  /// - Throws: When they cannot be deleted; with only the guide's functions, some may be.
  func deleteLocalQuakesMutation(quakeIds: Set<Quake.ID>) async throws

  /// Beyond the guide: the quakes that were deleted and not saved again since. A scheduled refresh
  /// does not bring them back. A store that does not remember them need not implement it.
  ///
  /// - Throws: When the store cannot be read.
  func fetchDeletedQuakesQuery() async throws -> Set<Quake.ID>

  /// Beyond the guide: follows changes to the store by others, until the task is cancelled. A store
  /// with a single writer need not implement it.
  ///
  /// - Parameters:
  ///   - onFollowing: Called once the changes can be followed.
  ///   - body: Called after changes by others.
  /// - Throws: When the store cannot be followed any longer, or an error that `body` throws.
  ///   Without an error it returns only if there is nothing to follow.
  func followChanges(
    onFollowing: @Sendable () -> Void,
    _ body: @Sendable () async throws -> Void
  ) async throws
}

extension PersistentSessionLocalStore {
  public var hasForeignWriters: Bool { false }

  public func deleteLocalQuakesMutation(quakeIds: Set<Quake.ID>) async throws {
    for quakeId in quakeIds { try await self.deleteLocalQuakeMutation(quakeId: quakeId) }
  }

  public func fetchDeletedQuakesQuery() async throws -> Set<Quake.ID> { [] }

  public func followChanges(
    onFollowing: @Sendable () -> Void,
    _ body: @Sendable () async throws -> Void
  ) async throws {}

  /// The quakes that can be shown. A store with foreign writers can have others, which no feed has;
  /// they are logged.
  ///
  /// - Throws: When the store cannot be read.
  package func fetchShowableQuakes() async throws -> [Quake] {
    let quakes = try await self.fetchLocalQuakesQuery()
    guard self.hasForeignWriters else { return quakes }
    return quakes.showable(
      Logger(label: "QuakesData"),
      "Earthquakes in the database have impossible values and are skipped"
    ) { quake in
      QuakeLimits.allow(quake) ? quake : nil
    }
  }
}

/// The source of the earthquakes.
///
/// Source: the guide, chapter QuakesData, section PersistentSession.
public protocol PersistentSessionRemoteStore: Sendable {
  /// - Parameter range: How far back the quakes go.
  /// - Returns: All quakes, including those with a magnitude of zero or below.
  /// - Throws: When there is no answer, or it cannot be read.
  func fetchRemoteQuakesQuery(
    range: QuakesAction.UI.QuakeList.RefreshQuakesRange
  ) async throws -> [Quake]
}

/// A remote store that also reports how many features it could not read, so that windows can show
/// it.
///
/// Beyond the guide, whose protocol stays as it is: a store that conforms only to that one is
/// assumed to have read everything. A ``Listener`` requests the feed of a store that has one, and
/// otherwise uses the guide's query, never both.
public protocol PersistentSessionFeedStore: PersistentSessionRemoteStore {
  /// - Parameter range: How far back the quakes go.
  /// - Throws: When there is no answer, or it cannot be read at all.
  func fetchRemoteQuakesFeed(
    range: QuakesAction.UI.QuakeList.RefreshQuakesRange
  ) async throws -> QuakesFeed
}

/// The content of a feed.
public struct QuakesFeed: Hashable, Sendable {
  public let quakes: [Quake]
  /// The quakes of which nobody knows the magnitude, with a magnitude of 0, by their index among all
  /// quakes of the feed.
  public let unmeasured: [Int: Quake]
  /// The number of features that are missing from ``quakes``: those that could not be read, and
  /// ``unmeasured``.
  public let skipped: Int
  /// The other ids of quakes, by their ids. Several networks report the same quake, and the
  /// preferred id can change.
  public let otherIDs: [Quake.ID: [Quake.ID]]

  public init(
    quakes: [Quake],
    unmeasured: [Int: Quake] = [:],
    skipped: Int,
    otherIDs: [Quake.ID: [Quake.ID]] = [:]
  ) {
    self.quakes = quakes
    self.unmeasured = unmeasured
    self.skipped = skipped
    self.otherIDs = otherIDs
  }

  /// All ids of a quake.
  func ids(of quake: Quake) -> [Quake.ID] { [quake.id] + (self.otherIDs[quake.id] ?? []) }
}

extension PersistentSessionFeedStore {
  /// As in the guide, all quakes are in the order of the feed, and unknown magnitudes are 0.
  public func fetchRemoteQuakesQuery(
    range: QuakesAction.UI.QuakeList.RefreshQuakesRange
  ) async throws -> [Quake] {
    let feed = try await self.fetchRemoteQuakesFeed(range: range)
    var measured = feed.quakes[...]
    return (0..<(feed.quakes.count + feed.unmeasured.count)).compactMap {
      feed.unmeasured[$0] ?? measured.popFirst()
    }
  }
}
