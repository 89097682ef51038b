import ImmutableUI

// What developers do to the networks of browsers.
extension WindowGroup {
  /// The browsers whose network is worse than it is, by name.
  package var slowedBrowsers: [SlowedBrowser] {
    self.networks.all()
      .map { SlowedBrowser(id: self.networks.label(of: $0.key), conditions: $0.value) }
      .sorted { $0.id < $1.id }
  }

  /// All windows, by what they show, with what they are connected by.
  ///
  /// - Complexity: O(n log n + s), n windows, s streams.
  package func connectedWindows() async -> [ShownWindow] {
    let reports = await self.outbox.streamReports()
    return await self.shownWindows().map { window in
      guard let known = self.directory[window.id] else { return window }
      var window = window
      window.connection = ShownConnection(
        browser: self.networks.label(of: known.session), reports[known.stream])
      return window
    }
  }

  /// Ends all streams of a browser, as a network does that breaks. It connects again and catches up.
  ///
  /// - Returns: Whether there is such a browser.
  /// - Complexity: O(s), s streams.
  package func cutOff(browser: String) -> Bool {
    guard let (_, streams) = self.session(of: browser) else { return false }
    self.outbox.send([.cut(streams: streams)])
    return true
  }

  /// Makes the network of a browser worse, or as it is. If it gets worse, its streams are cut, and those
  /// that it opens next have the conditions.
  ///
  /// - Parameter conditions: `nil`: as it is.
  /// - Returns: Whether there is such a browser.
  /// - Complexity: O(s), s streams.
  package func setNetwork(_ conditions: NetworkConditions?, ofBrowser browser: String) -> Bool {
    guard let (session, streams) = self.session(of: browser) else { return false }
    self.networks.set(conditions, of: session)
    if conditions != nil { self.outbox.send([.cut(streams: streams)]) }
    return true
  }

  /// A browser that has streams, or a network that is worse than it is.
  private func session(
    of browser: String
  ) -> (id: Identifier, streams: Set<Identifier>)? {
    let streams = self.directory.streamsBySession
    return Set(streams.keys).union(self.networks.all().keys)
      .first { self.networks.label(of: $0) == browser }
      .map { ($0, streams[$0] ?? []) }
  }
}
