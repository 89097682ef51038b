import Testing

@testable import ImmutableServer

struct EnvironmentTests {
  @Test func `a configuration is read from environment variables`() throws {
    let configuration = try WebServerConfiguration(environment: [
      "PORT": "8081", "HOSTS": "notes.example.org, www.example.org", "PROXIES": "127.0.0.1,::1",
      "RELOAD": "yes", "HOME": "/root",
    ])

    #expect(configuration.port == 8_081)
    #expect(configuration.allowedHosts == ["notes.example.org", "www.example.org"])
    #expect(configuration.trustedProxies == TrustedProxies("127.0.0.1,::1"))
    #expect(configuration.reloadsTemplates)
  }

  @Test(arguments: [[:], ["PORT": "", "HOSTS": "", "PROXIES": "", "RELOAD": ""]])
  func `variables that are missing or empty change nothing`(environment: [String: String]) throws {
    let configuration = try WebServerConfiguration(environment: environment)

    #expect(configuration.port == 8_080)
    #expect(configuration.allowedHosts == [])
    #expect(configuration.trustedProxies == TrustedProxies())
    #expect(configuration.reloadsTemplates == false)
  }

  @Test(
    arguments: [
      ("PORT", "http", "PORT has to be a number from 0 to 65535, not \u{201C}http\u{201D}."),
      ("PORT", "65536", "PORT has to be a number from 0 to 65535, not \u{201C}65536\u{201D}."),
      (
        "HOSTS", "https://notes.example.org",
        "HOSTS has to be host names without a scheme and a port, separated by commas, not "
          + "\u{201C}https://notes.example.org\u{201D}."
      ),
      (
        "PROXIES", "localhost",
        "PROXIES has to be IP addresses, separated by commas, not \u{201C}localhost\u{201D}."
      ),
      ("RELOAD", "true", "RELOAD has to be yes or no, not \u{201C}true\u{201D}."),
    ]
  )
  func `a variable that cannot be used stops the start with a sentence`(
    name: String, value: String, message: String
  ) {
    let error = #expect(throws: StartError.self) {
      try WebServerConfiguration(environment: [name: value])
    }

    #expect(error?.code == .unusableSetting)
    #expect(error?.description == message)
  }
}
