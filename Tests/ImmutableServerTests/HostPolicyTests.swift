import HTTPConnections
import Testing

struct HostPolicyTests {
  private let policy = HostPolicy(allowed: ["example.org", "App.Example.net"])

  @Test(
    arguments: [
      "localhost", "LOCALHOST:8080", "127.0.0.1", "127.0.0.1:80", "[::1]:8080", "192.168.1.7",
      "example.org", "Example.org:443", "app.example.net", "app.localhost:1",
    ]
  )
  func `the server's own names are allowed`(authority: String) {
    #expect(self.policy.isAllowed(HostPolicy.host(of: authority)))
  }

  @Test(
    arguments: [
      "evil.example", "example.org.evil.example", "127.0.0.1.evil.example", "", "localhost.evil",
      "1.2.3.4.5",
    ]
  )
  func `other names are not allowed`(authority: String) {
    #expect(self.policy.isAllowed(HostPolicy.host(of: authority)) == false)
  }

  @Test(
    arguments: [
      ("example.org", "example.org"), ("Example.ORG:443", "example.org"),
      ("example.org:", "example.org"),
      ("[::1]", "::1"), ("[::1]:8080", "::1"), ("[]", ""), ("", ""), (":80", ""),
    ]
  )
  func `the host is the part before the port`(authority: String, host: String) {
    #expect(HostPolicy.host(of: authority) == host)
  }

  @Test(
    arguments: [
      "localhost:80x", "localhost:80:80", "localhost:-1", "localhost:8٠", "local[host",
      "localhost]",
      "[::1", "[::1]80", "[::1]x:80", "[::1]:80x", "x[::1]", "[[::1]", "[::1]]",
    ]
  )
  func `a malformed host is not allowed`(authority: String) {
    #expect(self.policy.isAllowed(HostPolicy.host(of: authority)) == false)
  }

  @Test(
    arguments: [
      ("", []), ("app.example.org", ["app.example.org"]),
      (" App.example.org, 10.0.0.7,::1 ,", ["App.example.org", "10.0.0.7", "::1"]), (" , ", []),
    ]
  )
  func `an operator lists names separated by commas`(list: String, names: [String]) {
    #expect(HostPolicy.names(in: list) == Set(names))
  }

  @Test(
    arguments: [
      "https://app.example.org", "app.example.org:443", "app.example.org/", "*.example.org",
      "app.example.org b.example.org", "b\u{FC}cher.example",
    ]
  )
  func `what no host can equal is no name`(entry: String) {
    #expect(HostPolicy.names(in: "localhost,\(entry)") == nil)
  }

  @Test func `an empty name allows no invalid host`() {
    #expect(HostPolicy(allowed: [""]).isAllowed(HostPolicy.host(of: "[")) == false)
  }
}
