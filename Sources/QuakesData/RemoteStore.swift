public import Foundation
import SampleFeeds
public import Services

#if canImport(FoundationNetworking)
  // Exported for `URLRequest`, which is a part of the protocol of sessions.
  @_exported public import FoundationNetworking
#endif

/// The part of a network session that a ``RemoteStore`` uses, so that tests can replace it.
///
/// Source: the guide, chapter QuakesData, section RemoteStore.
public protocol RemoteStoreNetworkSession: Sendable {
  /// - Throws: When there is no answer, or not the expected one.
  func json<T>(
    for request: URLRequest,
    from decoder: JSONDecoder
  ) async throws -> T where T: Decodable

  /// Beyond the guide: requests the feed only if it has changed. A session that cannot do that need
  /// not implement it.
  ///
  /// - Parameter validators: The validators of the known feed.
  /// - Throws: When there is no answer, or not the expected one.
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
/// An unchanged feed is neither sent nor decoded again, and of a changed one only the features that
/// have changed are decoded.
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
  /// The last content of each feed.
  private var known: [QuakesAction.UI.QuakeList.RefreshQuakesRange: Known] = [:]

  private struct Known {
    let validators: Validators?
    let response: RemoteResponse
    let feed: QuakesFeed
  }

  /// A store on the feeds of the USGS.
  public init(session: NetworkSession) {
    self.init(session: session, location: .usgs)
  }

  /// - Parameters:
  ///   - session: Does the networking, and limits the size of an answer.
  ///   - location: The location of the feeds.
  ///   - byteLimit: The maximum size of a feed in a file, in bytes; 16 MB by default.
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
  /// - Throws: An error with a sentence for people, ``RemoteStoreError`` or the session's error;
  ///   `CancellationError` when the task is cancelled.
  /// - Complexity: O(n), n bytes of the feed, those of features that have not changed are only
  ///   compared; O(1) when the feed has not changed.
  public func fetchRemoteQuakesFeed(
    range: QuakesAction.UI.QuakeList.RefreshQuakesRange
  ) async throws -> QuakesFeed {
    switch self.location.place {
    case .address(let base):
      let request = try Self.networkRequest(base: base, range: range)
      return try await self.feed(range) { decoder, known in
        try await self.session.json(for: request, from: decoder, unless: known)
      }
    case .folder(let folder):
      let file = FeedFile(url: folder.appending(path: range.fileName))
      return try await self.feed(range) { decoder, known in
        try await file.response(limit: self.byteLimit, from: decoder, unless: known)
      }
    case .sample(let seed):
      let sample = SampleFeed(anchor: .now, seed: seed)
      return try await self.feed(range) { decoder, _ in
        .value(try sample.response(range: range, from: decoder), nil)
      }
    }
  }

  private func feed(
    _ range: QuakesAction.UI.QuakeList.RefreshQuakesRange,
    _ fetch: (FeedDecoder, Validators?) async throws -> ConditionalResponse<RemoteResponse>
  ) async throws -> QuakesFeed {
    // Captured now, because “not modified” refers to this content, even if newer content arrives
    // meanwhile.
    let known = self.known[range]
    switch try await fetch(FeedDecoder(after: known?.response), known?.validators) {
    case .notModified:
      guard let known, known.validators != nil else { throw Self.Error(code: .responseError) }
      return known.feed
    case .value(let response, let validators):
      let feed = response.feed()
      self.known[range] = Known(validators: validators, response: response, feed: feed)
      return feed
    }
  }

  private static func networkRequest(
    base: URL?,
    range: QuakesAction.UI.QuakeList.RefreshQuakesRange
  ) throws -> URLRequest {
    guard let base else { throw Self.Error(code: .urlError) }
    return URLRequest(url: base.appending(path: range.fileName))
  }
}

extension QuakesAction.UI.QuakeList.RefreshQuakesRange {
  /// The name of the feed at the USGS.
  fileprivate var fileName: String { SampleFeed.Range(self).fileName }
}
