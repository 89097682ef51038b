import HTTPConnections

extension WebServerConfiguration {
  /// Reads what differs between machines from environment variables. Each may be missing.
  ///
  /// | Variable | Example | |
  /// | --- | --- | --- |
  /// | `PORT` | `8081` | ``port`` |
  /// | `HOSTS` | `notes.example.org` | ``allowedHosts``, separated by commas |
  /// | `PROXIES` | `127.0.0.1,::1` | ``trustedProxies``, separated by commas |
  /// | `RELOAD` | `yes` | ``reloadsTemplates`` |
  ///
  /// ```swift
  /// var configuration = try WebServerConfiguration(
  ///   environment: ProcessInfo.processInfo.environment)
  /// ```
  ///
  /// - Throws: ``StartError`` that says what a variable has to be.
  public init(environment: [String: String]) throws {
    self.init()
    func value<Value>(_ name: String, _ expected: String, _ read: (String) -> Value?) throws
      -> Value?
    {
      guard let text = environment[name], text.isEmpty == false else { return nil }
      guard let value = read(text) else {
        throw StartError(
          code: .unusableSetting, "\(name) has to be \(expected), not \u{201C}\(text)\u{201D}.")
      }
      return value
    }
    self.port =
      try value("PORT", "a number from 0 to 65535") { UInt16($0).map(Int.init) } ?? self.port
    self.trustedProxies =
      try value("PROXIES", "IP addresses, separated by commas") { TrustedProxies($0) }
      ?? self.trustedProxies
    self.reloadsTemplates =
      try value("RELOAD", "yes or no") { ["yes": true, "no": false][$0] } ?? self.reloadsTemplates
    self.allowedHosts =
      try value(
        "HOSTS", "host names without a scheme and a port, separated by commas",
        HostPolicy.names) ?? self.allowedHosts
  }
}
