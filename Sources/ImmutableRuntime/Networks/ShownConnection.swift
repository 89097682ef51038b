/// What a window is connected by, for developers.
package struct ShownConnection: Hashable, Sendable {
  /// Names the browser. All of its windows share what happens to its network.
  package let browser: String
  /// How much its stream was sent, in bytes; `nil` if nobody knows.
  package var sentBytes: Int?
  /// For how many seconds its stream has been behind; `nil` if it is not.
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

/// A browser whose network developers have made worse.
package struct SlowedBrowser: Identifiable, Hashable, Sendable {
  /// Names the browser.
  package let id: String
  package let conditions: NetworkConditions

  package init(id: String, conditions: NetworkConditions) {
    self.id = id
    self.conditions = conditions
  }
}
