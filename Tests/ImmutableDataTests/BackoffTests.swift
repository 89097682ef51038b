import Testing

@testable import ImmutableData

struct BackoffTests {
  @Test func `a pause is at most twice the one before, up to the limit`() {
    var backoff = Backoff(base: .seconds(1), limit: .seconds(5), random: { 1 })

    let pauses = (0..<5).map { _ in backoff.next() }

    #expect(pauses == [.seconds(1), .seconds(2), .seconds(4), .seconds(5), .seconds(5)])
  }

  @Test func `a pause is random between zero and its maximum`() {
    var none = Backoff(base: .seconds(1), limit: .seconds(5), random: { 0 })
    var half = Backoff(base: .seconds(1), limit: .seconds(5), random: { 0.5 })

    #expect(none.next() == .zero)
    #expect([half.next(), half.next()] == [.milliseconds(500), .seconds(1)])
  }

  @Test func `a pause has a minimum`() {
    var backoff = Backoff(
      base: .seconds(1), limit: .seconds(9), least: .seconds(3), random: { 0.5 })

    let pauses = (0..<4).map { _ in backoff.next() }

    #expect(pauses == [.seconds(3), .seconds(3), .seconds(3), .seconds(4)])
  }

  @Test func `a reset starts the pauses again`() {
    var backoff = Backoff(base: .seconds(1), limit: .seconds(5), random: { 1 })
    _ = backoff.next()
    _ = backoff.next()

    backoff.reset()

    #expect(backoff.next() == .seconds(1))
  }

  @Test func `a base above the limit is the limit`() {
    var backoff = Backoff(base: .seconds(9), limit: .seconds(5), random: { 1 })

    #expect(backoff.next() == .seconds(5))
  }
}
