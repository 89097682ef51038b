import SampleFeeds

extension Quake {
  /// Whether the quake is from the ``SampleFeed``, and so fictional.
  public var isSample: Bool { self.id.hasPrefix(SampleFeed.network) }
}

extension SampleFeed {
  /// The feed, decoded like one from a server.
  ///
  /// - Parameter decoder: Decodes it.
  func response(
    range: QuakesAction.UI.QuakeList.RefreshQuakesRange,
    from decoder: FeedDecoder
  ) throws -> RemoteResponse {
    try decoder.decode(RemoteResponse.self, from: self.data(range: Range(range)))
  }

  func feed(range: QuakesAction.UI.QuakeList.RefreshQuakesRange) throws -> QuakesFeed {
    try self.response(range: range, from: FeedDecoder()).feed()
  }
}

extension SampleFeed.Range {
  init(_ range: QuakesAction.UI.QuakeList.RefreshQuakesRange) {
    switch range {
    case .allHour: self = .allHour
    case .allDay: self = .allDay
    case .allWeek: self = .allWeek
    case .allMonth: self = .allMonth
    }
  }
}
