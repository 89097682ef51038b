public import ArgumentParser
import Foundation
public import QuakesData
public import Services
import Terminal

extension NetworkSession: RemoteStoreNetworkSession {}

/// The source of the earthquakes.
struct FeedOptions: ParsableArguments {
  @Option(help: "How far back to fetch: hour, day, week or month.")
  var range = QuakesAction.UI.QuakeList.RefreshQuakesRange.allDay

  @Option(
    help: """
      The address or the folder of the feeds all_hour.geojson, all_day.geojson, all_week.geojson \
      and all_month.geojson; by default, the feeds of the U.S. Geological Survey.
      """
  )
  var feed: String?

  @Flag(help: "Use made-up earthquakes, without a network.")
  var sample = false

  @Option(
    help: "How long the server may send nothing, in seconds; an answer may take six times that."
  )
  var timeout = 10

  @Option(help: "The maximum size of the feed, in bytes.")
  var bodyLimit = 16 * 1024 * 1024

  func validate() throws {
    guard self.feed == nil || self.sample == false else {
      throw ValidationError("Set either --feed or --sample.")
    }
    try self.require(["--timeout": self.timeout], in: .seconds)
    try self.require(["--body-limit": self.bodyLimit], in: .counts)
    if let feed = self.feed, FeedLocation(feed) == nil {
      throw ValidationError(
        "--feed must be an address like https://example.com/feeds or a folder, not \(feed)."
      )
    }
  }

  func fetch() async throws -> QuakesFeed {
    let urlSession = URLSession.withTimeouts(idle: TimeInterval(self.timeout))
    let store = RemoteStore(
      session: NetworkSession(urlSession: urlSession, bodyLimit: self.bodyLimit),
      location: self.location,
      byteLimit: self.bodyLimit
    )
    return try await store.fetchRemoteQuakesFeed(range: self.range)
  }

  private var location: FeedLocation {
    self.sample ? .sample() : self.feed.flatMap { FeedLocation($0) } ?? .usgs
  }
}

extension QuakesAction.UI.QuakeList.RefreshQuakesRange: ExpressibleByArgument {
  private static let names: KeyValuePairs<String, Self> = [
    "hour": .allHour, "day": .allDay, "week": .allWeek, "month": .allMonth,
  ]

  public init?(argument: String) {
    guard let range = Self.names.first(where: { $0.key == argument })?.value else { return nil }
    self = range
  }

  public var defaultValueDescription: String {
    Self.names.first { $0.value == self }?.key ?? "\(self)"
  }

  public static var allValueStrings: [String] {
    Self.names.map(\.key)
  }
}
