import SampleFeeds

extension Quake {
  /// Whether the quake is from the ``SampleFeed``, and so fictional.
  public var isSample: Bool { self.id.hasPrefix(SampleFeed.network) }
}

extension SampleFeed {
  /// The feed, decoded like one from a server.
  func feed(range: QuakesAction.UI.QuakeList.RefreshQuakesRange) throws -> QuakesFeed {
    try FeedDecoder().decode(RemoteResponse.self, from: self.data(range: Range(range))).feed()
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
