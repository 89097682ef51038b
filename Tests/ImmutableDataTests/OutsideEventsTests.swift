import ImmutableData
import TestSupport
import Testing

private struct Failure: PostponingError {
  var retryAfter: Duration?
}

/// A store of numbers whose listener follows what a test says.
@MainActor private final class Fixture {
  let store = Store(initialState: [Int]()) { (state: [Int], action: Int) in state + [action] }
  let clock = ManualClock()
  let outages: Transcript<Bool>
  let lanes: EffectLanes
  var listener: EffectListener<[Int], Int>?

  init() {
    let outages = Transcript<Bool>()
    self.outages = outages
    self.lanes = EffectLanes { _, isLost in outages.append(isLost) }
  }

  func follow(_ follow: @escaping OutsideEvents<[Int], Int>.Follow) {
    let backoff = Backoff(base: .seconds(1), limit: .seconds(4), random: { 1 })
    let listener = EffectListener<[Int], Int>(
      lanes: self.lanes,
      label: "test",
      outside: [OutsideEvents("test", backoff: backoff, clock: self.clock, follow: follow)]
    )
    listener.listen(to: self.store)
    self.listener = listener
  }
}

@Suite(.timeLimit(.minutes(20))) @MainActor struct OutsideEventsTests {
  @Test func `an outside event becomes an action`() async {
    let (fixture, done) = (Fixture(), Gate())

    fixture.follow { following in
      try await following.store.dispatch(action: 7)
      done.open()
    }
    await done.wait()

    #expect(fixture.store.state == [7])
  }

  @Test func `following is retried after failures with growing pauses`() async {
    let (fixture, failures) = (Fixture(), Transcript<Int>())

    fixture.follow { following in
      failures.append(following.failures)
      throw Failure()
    }
    for count in 1...4 {
      await fixture.clock.sleeps.wait { $0.count == count }
      fixture.clock.advance(by: .seconds(4))
    }
    await failures.wait { $0.count == 5 }

    #expect(
      fixture.clock.sleeps.entries.prefix(4)
        == [.seconds(1), .seconds(2), .seconds(4), .seconds(4)])
    #expect(failures.entries == [0, 1, 2, 3, 4])
    #expect(fixture.outages.entries == [false, true])
  }

  @Test func `a success resets the pauses and ends the outage`() async {
    let fixture = Fixture()

    fixture.follow { following in
      if following.failures == 2 { following.didSucceed() }
      throw Failure()
    }
    for count in 1...3 {
      await fixture.clock.sleeps.wait { $0.count == count }
      fixture.clock.advance(by: .seconds(4))
    }
    await fixture.clock.sleeps.wait { $0.count == 4 }

    #expect(
      fixture.clock.sleeps.entries == [.seconds(1), .seconds(2), .seconds(1), .seconds(2)])
    #expect(fixture.outages.entries == [false, true, false, true])
  }

  /// Otherwise a source that answers and ends at once would be asked several times a second.
  @Test func `a connection ends the outage, but the pauses grow until something arrives`() async {
    let fixture = Fixture()

    fixture.follow { following in
      following.didConnect()
      throw Failure()
    }
    for count in 1...2 {
      await fixture.clock.sleeps.wait { $0.count == count }
      fixture.clock.advance(by: .seconds(4))
    }
    await fixture.clock.sleeps.wait { $0.count == 3 }

    #expect(fixture.clock.sleeps.entries == [.seconds(1), .seconds(2), .seconds(4)])
    #expect(fixture.outages.entries == [false, true, false, true, false, true])
  }

  @Test(arguments: [
    (Duration.seconds(60), Duration.seconds(60)), (.seconds(1_000_000), .seconds(86_400)),
  ])
  func `a requested retry delay is honored, up to a day`(
    wanted: Duration, pause: Duration
  ) async {
    let fixture = Fixture()

    fixture.follow { _ in throw Failure(retryAfter: wanted) }
    await fixture.clock.sleeps.wait { $0.isEmpty == false }

    #expect(fixture.clock.sleeps.entries == [pause])
  }

  @Test func `following ends with the listener`() async {
    let (fixture, began, ended) = (Fixture(), Gate(), Gate())

    fixture.follow { [clock = fixture.clock] _ in
      began.open()
      defer { ended.open() }
      try await clock.sleep(for: .seconds(1))
    }
    await began.wait()
    fixture.listener = nil

    await ended.wait()
    #expect(fixture.outages.entries == [false])
  }

  /// Its metric said for good that they are lost.
  @Test func `a process that no longer leads has lost nothing`() async {
    let fixture = Fixture()

    fixture.follow { _ in throw Failure() }
    await fixture.clock.sleeps.wait { $0.isEmpty == false }
    fixture.lanes.lead(false)
    await fixture.outages.wait { $0.count == 3 }

    #expect(fixture.outages.entries == [false, true, false])
  }

  @Test func `an effect sees the current state and is awaited`() async {
    let (fixture, done) = (Fixture(), Gate())

    fixture.follow { following in
      try await following.perform { state in
        Effect("add") { store, _ in try await store.dispatch(action: state.count + 1) }
      }
      try await following.perform { state in
        Effect("add") { store, _ in try await store.dispatch(action: state.count + 1) }
      }
      try await following.perform { _ in nil }
      done.open()
    }
    await done.wait()

    #expect(fixture.store.state == [1, 2])
  }

  @Test func `a failed effect counts as a failure to follow`() async {
    let fixture = Fixture()

    fixture.follow { following in
      try await following.perform { _ in Effect("fail") { _, _ in throw Failure() } }
    }
    await fixture.clock.sleeps.wait { $0.isEmpty == false }

    #expect(fixture.outages.entries == [false, true])
  }
}
