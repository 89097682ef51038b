import Testing

@testable import ImmutableServer

struct TrustedProxiesTests {
  @Test(
    arguments: [
      ("127.0.0.1", "127.0.0.1"),
      ("127.0.0.1", "::ffff:127.0.0.1"),
      ("::ffff:127.0.0.1", "127.0.0.1"),
      ("10.0.0.0/8", "10.255.0.1"),
      ("10.9.8.7/8", "10.0.0.1"),
      ("10.0.0.0/9", "10.127.255.255"),
      ("10.0.0.0/8", "::ffff:10.1.2.3"),
      ("0.0.0.0/0", "203.0.113.7"),
      ("203.0.113.7/32", "203.0.113.7"),
      ("::1", "0:0:0:0:0:0:0:1"),
      ("2001:db8::/33", "2001:db8:7fff::1"),
      ("2001:DB8::/32", "2001:db8:ffff::1"),
      ("::/0", "2001:db8::1"),
      ("::1/128", "::1"),
      ("192.0.2.1, 10.0.0.0/8 ,::1", "10.1.1.1"),
    ]
  )
  func `a named proxy is trusted`(proxies: String, address: String) throws {
    let proxies = try #require(TrustedProxies(proxies))

    #expect(proxies.trusts(address))
  }

  @Test(
    arguments: [
      ("127.0.0.1", "127.0.0.2"),
      ("10.0.0.0/8", "11.0.0.1"),
      ("10.0.0.0/9", "10.128.0.0"),
      ("0.0.0.0/0", "2001:db8::1"),
      ("0.0.0.0/0", "::1"),
      ("2001:db8::/33", "2001:db8:8000::1"),
      ("::1", "127.0.0.1"),
      ("::1", "::1%lo"),
      ("127.0.0.1", ""),
      ("127.0.0.1", "127.0.0.1:80"),
      ("127.0.0.1", " 127.0.0.1"),
      ("127.0.0.1", "127.1"),
      ("127.0.0.1", "localhost"),
      ("", "127.0.0.1"),
    ]
  )
  func `any other proxy is not trusted`(proxies: String, address: String) throws {
    let proxies = try #require(TrustedProxies(proxies))

    #expect(proxies.trusts(address) == false)
  }

  @Test func `no proxy is trusted unless named`() {
    #expect(TrustedProxies().trusts("127.0.0.1") == false)
    #expect(TrustedProxies().trusts("") == false)
  }

  @Test(
    arguments: [
      "localhost", "10.0.0", "10.0.0.0/", "/8", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/+8",
      "10.0.0.0/08", "10.0.0.0/8/8", "10.0.0.0/255.0.0.0", "::/129", "[::1]", "127.0.0.1:80",
      "127.0.0.1;10.0.0.1", "127.0.0.1, nginx", "0x7f.0.0.1", "fe80::1%eth0", " ",
    ]
  )
  func `text that is neither an address nor a network is refused`(text: String) {
    #expect(TrustedProxies(text) == nil)
  }
}
