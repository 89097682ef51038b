import HTTPTypes
import Testing

@testable import ImmutableServer

struct ClientTests {
  private struct Case: CustomTestStringConvertible {
    let forwarded: [String]
    let address: String
    var testDescription: String { "\(self.forwarded)" }
  }

  private static let proxies = TrustedProxies("127.0.0.1,10.0.0.0/8,::1")!

  private static func client(_ peer: String, _ fields: HTTPFields = [:]) -> Client {
    let request = HTTPRequest(
      method: .get,
      scheme: "http",
      authority: "example.org",
      path: "/",
      headerFields: fields
    )
    return Client(request, peer: peer, proxies: Self.proxies)
  }

  private static func forwarding(_ name: HTTPField.Name, _ values: [String]) -> HTTPFields {
    var fields = HTTPFields()
    for value in values {
      fields.append(HTTPField(name: name, value: value))
    }
    return fields
  }

  @Test(
    arguments: [
      Case(forwarded: ["203.0.113.7"], address: "203.0.113.7"),
      Case(forwarded: ["2001:db8::7"], address: "2001:db8::7"),
      Case(forwarded: ["203.0.113.7, 10.0.0.2"], address: "203.0.113.7"),
      Case(forwarded: ["203.0.113.7,10.0.0.2,10.0.0.3"], address: "203.0.113.7"),
      Case(forwarded: ["203.0.113.7", "10.0.0.2"], address: "203.0.113.7"),
      Case(forwarded: ["::ffff:203.0.113.7"], address: "203.0.113.7"),
      Case(forwarded: ["203.0.113.7, ::ffff:10.0.0.2"], address: "203.0.113.7"),
    ]
  )
  private func `a trusted proxy gives the client's address`(forwarding: Case) {
    let client = Self.client("127.0.0.1", Self.forwarding(.forwardedFor, forwarding.forwarded))

    #expect(client.address == forwarding.address)
  }

  @Test(
    arguments: [
      // What the client itself sent stands first.
      Case(forwarded: ["198.51.100.1, 203.0.113.7"], address: "203.0.113.7"),
      Case(forwarded: ["127.0.0.1, 203.0.113.7, 10.0.0.2"], address: "203.0.113.7"),
      Case(forwarded: ["198.51.100.1", "203.0.113.7"], address: "203.0.113.7"),
    ]
  )
  private func `addresses forged by the client are ignored`(forwarding: Case) {
    let client = Self.client("127.0.0.1", Self.forwarding(.forwardedFor, forwarding.forwarded))

    #expect(client.address == forwarding.address)
  }

  @Test(
    arguments: [
      Case(forwarded: [], address: "127.0.0.1"),
      Case(forwarded: [""], address: "127.0.0.1"),
      Case(forwarded: [" , ,"], address: "127.0.0.1"),
      Case(forwarded: ["unknown"], address: "127.0.0.1"),
      Case(forwarded: ["localhost"], address: "127.0.0.1"),
      Case(forwarded: ["203.0.113.7:4711"], address: "127.0.0.1"),
      Case(forwarded: ["203.0.113.7, unknown"], address: "127.0.0.1"),
      Case(forwarded: ["203.0.113.7, <script>, 10.0.0.2"], address: "10.0.0.2"),
      Case(forwarded: ["10.0.0.3, 10.0.0.2"], address: "10.0.0.3"),
    ]
  )
  private func `a malformed entry ends the search at the last known address`(forwarding: Case) {
    let client = Self.client("127.0.0.1", Self.forwarding(.forwardedFor, forwarding.forwarded))

    #expect(client.address == forwarding.address)
  }

  @Test(arguments: ["203.0.113.9", "11.0.0.1", "2001:db8::1", ""])
  func `forwarding headers of untrusted peers are ignored`(peer: String) {
    let client = Self.client(
      peer,
      [
        .forwardedFor: "198.51.100.1", .forwardedProto: "https",
        HTTPField.Name("Forwarded")!: "for=198.51.100.1",
      ]
    )

    #expect(client.address == peer)
    #expect(client.isSecure == false)
    #expect(client.isDirect == false)
  }

  @Test(
    arguments: [
      (["https"], true), (["HTTPS"], true), (["http, https"], true), (["http", "https"], true),
      (["http"], false), (["https, http"], false), (["https", "http"], false), ([""], false),
      (["httpsx"], false), ([], false),
    ]
  )
  func `the nearest proxy gives the scheme`(schemes: [String], isSecure: Bool) {
    let client = Self.client("::ffff:127.0.0.1", Self.forwarding(.forwardedProto, schemes))

    #expect(client.isSecure == isSecure)
  }

  @Test(
    arguments: [
      "X-Forwarded-For", "X-Forwarded-Proto", "X-Forwarded-Host", "Forwarded", "X-Real-IP", "Via",
    ]
  )
  func `a request that was forwarded is not direct`(name: String) throws {
    let name = try #require(HTTPField.Name(name))

    #expect(Self.client("127.0.0.1", [name: "anything"]).isDirect == false)
  }

  @Test func `a request without forwarding headers is direct`() {
    let client = Self.client("127.0.0.1", [.accept: "*/*"])

    #expect(client.isDirect)
    #expect(client.address == "127.0.0.1")
    #expect(client.isSecure == false)
  }

  @Test func `an IPv4 address is shown as one`() {
    #expect(Self.client("::ffff:192.0.2.7").address == "192.0.2.7")
    #expect(Self.client("::1").address == "::1")
  }
}
