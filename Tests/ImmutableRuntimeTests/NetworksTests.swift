import Testing

@testable import ImmutableRuntime

struct NetworksTests {
  private let session = Identifier()
  private let now = ContinuousClock.now

  private func losses(_ conditions: NetworkConditions, _ direction: Networks.Direction) -> [Bool] {
    let networks = Networks()
    networks.set(conditions, of: self.session, now: self.now)
    return (0..<1_000).compactMap { _ in
      networks.fate(of: self.session, direction, now: self.now)?.isLost
    }
  }

  @Test func `a network without conditions delays and loses nothing`() {
    let networks = Networks()
    networks.set(NetworkConditions(latency: 5), of: Identifier(), now: self.now)

    #expect(networks.fate(of: self.session, .toBrowser, now: self.now) == nil)
    #expect(networks.isSlow(self.session, now: self.now) == false)
  }

  @Test func `losses match the requested rate and are the same for the same seed`() {
    let conditions = NetworkConditions(loss: 20, seed: 7)

    let lost = self.losses(conditions, .toBrowser)

    #expect(lost.count == 1_000)
    #expect((150...250).contains(lost.count { $0 }))
    #expect(lost == self.losses(conditions, .toBrowser))
    #expect(lost != self.losses(conditions, .toServer))
    #expect(lost != self.losses(NetworkConditions(loss: 20, seed: 8), .toBrowser))
    #expect(self.losses(NetworkConditions(loss: 0), .toServer).contains(true) == false)
    #expect(self.losses(NetworkConditions(loss: 100), .toServer).contains(false) == false)
  }

  @Test func `traffic in one direction does not change losses in the other`() {
    let networks = Networks()
    let conditions = NetworkConditions(loss: 20, seed: 7)
    networks.set(conditions, of: self.session, now: self.now)

    let lost = (0..<1_000).compactMap { _ in
      _ = networks.fate(of: self.session, .toServer, now: self.now)
      return networks.fate(of: self.session, .toBrowser, now: self.now)?.isLost
    }

    #expect(lost == self.losses(conditions, .toBrowser))
  }

  @Test func `nothing gets through while offline`() {
    #expect(self.losses(NetworkConditions(isOffline: true), .toServer).contains(false) == false)
  }

  @Test func `a network recovers when reset, and by itself after ten minutes`() {
    let networks = Networks()
    networks.set(NetworkConditions(latency: 5), of: self.session, now: self.now)
    let end = self.now + Networks.duration

    #expect(
      networks.fate(of: self.session, .toBrowser, now: end - .seconds(1))
        == NetworkFate(latency: .milliseconds(5), isLost: false))
    #expect(networks.fate(of: self.session, .toBrowser, now: end) == nil)
    #expect(networks.all(now: self.now).isEmpty)
    networks.set(NetworkConditions(latency: 5), of: self.session, now: self.now)
    networks.set(nil, of: self.session, now: self.now)
    #expect(networks.isSlow(self.session, now: self.now) == false)
  }

  @Test func `only the newest conditions are kept, up to a limit`() {
    let networks = Networks()
    let sessions = (0..<Networks.limit + 3).map { _ in Identifier() }
    for (number, session) in sessions.enumerated() {
      networks.set(
        NetworkConditions(latency: number), of: session, now: self.now + .seconds(number))
    }

    let kept = networks.all(now: self.now)

    #expect(kept.count == Networks.limit)
    #expect(sessions.prefix(3).allSatisfy { kept[$0] == nil })
  }

  @Test func `the name of a browser is stable and does not reveal its secret`() {
    let networks = Networks()

    let label = networks.label(of: self.session)

    #expect(label == networks.label(of: self.session))
    #expect(label != networks.label(of: Identifier()))
    #expect(label.count == 12)
    #expect(self.session.text.contains(label) == false)
  }
}
