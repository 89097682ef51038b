/// The connection of a window, for developers.
package struct ShownConnection: Hashable, Sendable {
  /// The name of the browser. All of its windows share its network.
  package let browser: String
  /// The number of bytes sent to its stream; `nil` if it is unknown.
  package var sentBytes: Int?
  /// How long its stream has been behind, in seconds; `nil` if it is not behind.
  package let secondsBehind: Int?

  package init(browser: String, sentBytes: Int?, secondsBehind: Int?) {
    self.browser = browser
    self.sentBytes = sentBytes
    self.secondsBehind = secondsBehind
  }

  init(browser: String, _ report: StreamReport?) {
    self.init(
      browser: browser,
      sentBytes: report?.sentBytes,
      secondsBehind: report?.behind.map { Int($0 / .seconds(1)) }
    )
  }
}

/// A browser with a simulated network.
package struct SlowedBrowser: Identifiable, Hashable, Sendable {
  /// The name of the browser.
  package let id: String
  package let conditions: NetworkConditions

  package init(id: String, conditions: NetworkConditions) {
    self.id = id
    self.conditions = conditions
  }
}
