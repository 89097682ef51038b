import ActionLogs
import ArgumentParser
import Foundation
import ImmutableData
import Logging
public import QuakesData
public import Services
import Terminal

extension NetworkSession: RemoteStoreNetworkSession {}
extension NetworkSessionError: PostponingError {}

/// The source of the earthquakes of Quakes.
struct QuakesOptions: ParsableArguments {
  @Option(
    help: """
      The address or the folder of the feeds all_hour.geojson, all_day.geojson, all_week.geojson and \
      all_month.geojson, or the word sample for made-up earthquakes; without it those of \
      the U.S. Geological Survey.
      """
  )
  var quakesFeed: String?

  @Option(
    help: """
      How long the feed's server may send nothing, in seconds; an answer may take six times that.
      """
  )
  var quakesTimeout = 10

  @Option(help: "The maximum size of a feed, in bytes.")
  var quakesFeedLimit = 64 * 1024 * 1024

  @Option(help: "The maximum number of earthquakes. Beyond it, the oldest are removed.")
  var quakesLimit = QuakesState.defaultLimit

  @Option(
    help: """
      How often to fetch new earthquakes automatically, for example 5m: 1m to 1d, or 1s to 1d from \
      feeds of your own. Without it, visitors have to refresh. It cannot be used with the sample.
      """
  )
  var quakesRefresh: Interval?

  @Option(
    help: """
      The minimum time between two fetches that visitors ask for, in milliseconds; at most a minute. \
      Visitors who press Refresh repeatedly cause few requests to the feed.
      """
  )
  var quakesPace = 1_000

  /// Whether all earthquakes are fictional.
  var isSample: Bool { self.quakesFeed == "sample" }

  func validate() throws {
    try self.require(["--quakes-timeout": self.quakesTimeout], in: .seconds)
    try self.require(
      ["--quakes-feed-limit": self.quakesFeedLimit, "--quakes-limit": self.quakesLimit],
      in: .counts)
    // A visitor who asks for a fetch waits that long, and so do all others.
    try self.require(["--quakes-pace": self.quakesPace], in: 0...60_000)
    if let feed = self.quakesFeed, FeedLocation(feed) == nil {
      throw ValidationError(
        "--quakes-feed must be an address like https://example.com/feeds, a folder or the word "
          + "sample, not \(feed)."
      )
    }
    if let refresh = self.quakesRefresh {
      // Those of the survey do not change more often, and its server should not be overloaded.
      let isOwn = self.quakesFeed != nil
      let least: Duration = isOwn ? .seconds(1) : .seconds(60)
      guard (least...Duration.seconds(86_400)).contains(refresh.duration)
      else {
        throw ValidationError(
          "--quakes-refresh must be from \(isOwn ? "1s" : "1m") to 1d, not "
            + "\(refresh.defaultValueDescription)."
        )
      }
      guard self.isSample == false else {
        throw ValidationError(
          "--quakes-refresh is not for the sample, which has nothing new. Leave out one of them."
        )
      }
    }
  }

  /// The limit of a feed, so that its result fits into an entry of the log.
  private static let sharedFeedLimit = LogLimits().entryBytes

  /// Opens the database and runs the effects of the store's actions.
  ///
  /// - Parameters:
  ///   - store: The store to listen to.
  ///   - effects: Where the effects run.
  ///   - directory: The folder for databases.
  ///   - isShared: Whether the store's state is stored as a whole, so that there is no database.
  ///   - logger: Receives the reason if the database cannot be opened yet.
  func listen(
    to store: Store<QuakesState, QuakesAction>,
    effects: EffectLanes,
    directory: URL,
    isShared: Bool,
    logger: Logger
  ) async throws -> ProductData {
    let session = URLSession.withTimeouts(idle: TimeInterval(self.quakesTimeout))
    let limit = isShared ? min(self.quakesFeedLimit, Self.sharedFeedLimit) : self.quakesFeedLimit
    let remote = RemoteStore(
      session: NetworkSession(urlSession: session, bodyLimit: limit),
      location: self.quakesFeed.flatMap { FeedLocation($0) } ?? .usgs,
      byteLimit: limit
    )
    func listen(
      _ kept: some PersistentSessionLocalStore,
      file: DatabaseFile? = nil
    ) async -> ProductData {
      let listener = await Listener(
        localStore: kept,
        remoteStore: remote,
        lanes: effects,
        schedule: self.quakesRefresh.map { Schedule(every: $0.duration) },
        refreshInterval: .milliseconds(self.quakesPace)
      )
      await listener.listen(to: store)
      return ProductData("The earthquakes", listener, file: file, logger)
    }

    if isShared { return await listen(StateStore(store)) }
    let local = try LocalStore(
      reopening: directory.appending(component: "quakes.store", directoryHint: .notDirectory))
    return await listen(local, file: local.file)
  }
}
