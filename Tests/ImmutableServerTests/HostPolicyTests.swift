import Testing

@testable import ImmutableServer

struct HostPolicyTests {
  private let policy = HostPolicy(allowed: ["example.org"])

  @Test(
    arguments: [
      "localhost", "LOCALHOST:8080", "127.0.0.1", "127.0.0.1:80", "[::1]:8080", "192.168.1.7",
      "example.org", "Example.org:443", "app.localhost:1",
    ]
  )
  func `our names are allowed`(authority: String) {
    #expect(self.policy.isAllowed(HostPolicy.host(of: authority)))
  }

  @Test(
    arguments: [
      "evil.example", "example.org.evil.example", "127.0.0.1.evil.example", "", "localhost.evil",
      "1.2.3.4.5",
    ]
  )
  func `strangers' names are not`(authority: String) {
    #expect(self.policy.isAllowed(HostPolicy.host(of: authority)) == false)
  }
}
