import ImmutableUI

// Simulated networks, for developers.
extension WindowGroup {
  /// The browsers with a simulated network, by name.
  package var slowedBrowsers: [SlowedBrowser] {
    self.networks.all()
      .map { SlowedBrowser(id: self.networks.label(of: $0.key), conditions: $0.value) }
      .sorted { $0.id < $1.id }
  }

  /// A name for a browser that does not reveal its session.
  package func browser(of session: Identifier) -> String {
    self.networks.label(of: session)
  }

  /// All windows with their connections, sorted by what they show.
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

  /// Cuts all streams of a browser, like a network failure. The browser reconnects and catches up.
  ///
  /// - Returns: Whether there is such a browser.
  /// - Complexity: O(s), s streams.
  package func cutOff(browser: String) -> Bool {
    guard let (_, streams) = self.session(of: browser) else { return false }
    self.outbox.send([.cut(streams: streams)])
    return true
  }

  /// Simulates a bad network for a browser, or ends the simulation. When a simulation starts, the
  /// browser's streams are cut, and the streams that it opens next have the conditions.
  ///
  /// - Parameter conditions: `nil` for a normal network.
  /// - Returns: Whether there is such a browser.
  /// - Complexity: O(s), s streams.
  package func setNetwork(_ conditions: NetworkConditions?, ofBrowser browser: String) -> Bool {
    guard let (session, streams) = self.session(of: browser) else { return false }
    self.networks.set(conditions, of: session)
    if conditions != nil { self.outbox.send([.cut(streams: streams)]) }
    return true
  }

  /// A browser that has streams or a simulated network.
  private func session(
    of browser: String
  ) -> (id: Identifier, streams: Set<Identifier>)? {
    let streams = self.directory.streamsBySession
    return Set(streams.keys).union(self.networks.all().keys)
      .first { self.networks.label(of: $0) == browser }
      .map { ($0, streams[$0] ?? []) }
  }
}
