public import Foundation
import SampleFeeds
public import Services

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// What a ``RemoteStore`` needs of a network session, so that tests can give it another.
///
/// Source: the guide, chapter QuakesData, section RemoteStore.
public protocol RemoteStoreNetworkSession: Sendable {
  /// - Throws: When there is no answer, or not the one that was expected.
  func json<T>(
    for request: URLRequest,
    from decoder: JSONDecoder
  ) async throws -> T where T: Decodable

  /// Beyond the guide: asks only for what is new. A session that cannot do that need not have it.
  ///
  /// - Parameter validators: Of what is known.
  /// - Throws: When there is no answer, or not the one that was expected.
  func json<T>(
    for request: URLRequest,
    from decoder: JSONDecoder,
    unless validators: Validators?
  ) async throws -> ConditionalResponse<T> where T: Decodable
}

extension RemoteStoreNetworkSession {
  public func json<T>(
    for request: URLRequest,
    from decoder: JSONDecoder,
    unless validators: Validators?
  ) async throws -> ConditionalResponse<T> where T: Decodable {
    .value(try await self.json(for: request, from: decoder), nil)
  }
}

/// Fetches the earthquakes from a feed in the format of the USGS.
///
/// A feed that has not changed is neither sent nor decoded again.
///
/// ```swift
/// let store = RemoteStore(session: NetworkSession(urlSession: URLSession.withTimeouts()))
/// let quakes = try await store.fetchRemoteQuakesQuery(range: .allDay)
/// ```
///
/// Source: the guide, chapter QuakesData, section RemoteStore.
final public actor RemoteStore<NetworkSession>: PersistentSessionFeedStore
where NetworkSession: RemoteStoreNetworkSession {
  private let session: NetworkSession
  private let location: FeedLocation
  private let byteLimit: Int
  /// What was there last time, for each feed.
  private var known: [QuakesAction.UI.QuakeList.RefreshQuakesRange: Known] = [:]

  private struct Known {
    let version: Version
    let feed: QuakesFeed
  }

  private enum Version {
    case validators(Validators)
    case file(FeedFile.Version)
  }

  /// A store on the feeds of the USGS.
  public init(session: NetworkSession) {
    self.init(session: session, location: .usgs)
  }

  /// - Parameters:
  ///   - session: Does the networking, and limits what it takes.
  ///   - location: Where the feeds are.
  ///   - byteLimit: The most bytes that a feed in a file may have; 16 MB if not given.
  public init(
    session: NetworkSession,
    location: FeedLocation,
    byteLimit: Int = 16 * 1024 * 1024
  ) {
    self.session = session
    self.location = location
    self.byteLimit = byteLimit
  }
}

extension RemoteStore {
  /// - Throws: An error with a sentence for a person, ``RemoteStoreError`` or what the session throws;
  ///   `CancellationError` when the task is cancelled.
  /// - Complexity: O(n), n bytes of the feed; O(1) when the feed has not changed.
  public func fetchRemoteQuakesFeed(
    range: QuakesAction.UI.QuakeList.RefreshQuakesRange
  ) async throws -> QuakesFeed {
    switch self.location.place {
    case .address(let base):
      try await self.fetch(try Self.networkRequest(base: base, range: range), range)
    case .folder(let folder):
      try self.read(FeedFile(url: folder.appending(path: range.fileName)), range)
    case .sample(let seed):
      try SampleFeed(anchor: .now, seed: seed).feed(range: range)
    }
  }

  private func fetch(
    _ request: URLRequest,
    _ range: QuakesAction.UI.QuakeList.RefreshQuakesRange
  ) async throws -> QuakesFeed {
    // As it is now: it is the one that a 304 speaks of, whatever comes in meanwhile.
    let known = self.known[range]
    var validators: Validators?
    if case .validators(let value)? = known?.version {
      validators = value
    }
    let response: ConditionalResponse<RemoteResponse> = try await self.session.json(
      for: request,
      from: FeedDecoder(),
      unless: validators
    )
    switch response {
    case .notModified:
      guard let known else { throw Self.Error(code: .responseError) }
      return known.feed
    case .value(let response, let validators):
      let feed = response.feed()
      self.known[range] = validators.map { Known(version: .validators($0), feed: feed) }
      return feed
    }
  }

  private func read(
    _ file: FeedFile,
    _ range: QuakesAction.UI.QuakeList.RefreshQuakesRange
  ) throws -> QuakesFeed {
    let content = try file.read(limit: self.byteLimit) { version in
      if case .file(version)? = self.known[range]?.version { true } else { false }
    }
    guard let content else {
      guard let known = self.known[range] else { throw Self.Error(code: .responseError) }
      return known.feed
    }
    let feed = try file.response(content.data).feed()
    self.known[range] = Known(version: .file(content.version), feed: feed)
    return feed
  }

  private static func networkRequest(
    base: URL?,
    range: QuakesAction.UI.QuakeList.RefreshQuakesRange
  ) throws -> URLRequest {
    guard let base else { throw Self.Error(code: .urlError) }
    var request = URLRequest(url: base.appending(path: range.fileName))
    request.setValue("application/geo+json, application/json", forHTTPHeaderField: "Accept")
    return request
  }
}

extension QuakesAction.UI.QuakeList.RefreshQuakesRange {
  /// The name that the USGS gives to the feed.
  ///
  /// Source: https://earthquake.usgs.gov/earthquakes/feed/v1.0/geojson.php
  var fileName: String {
    switch self {
    case .allHour: "all_hour.geojson"
    case .allDay: "all_day.geojson"
    case .allWeek: "all_week.geojson"
    case .allMonth: "all_month.geojson"
    }
  }
}
