import TestSupport
import Testing

@testable import ImmutableData

private struct Failure: Error {}

/// A listener that takes turns every 100 seconds, by a clock of the test's.
@MainActor private final class Fixture {
  let store = Store(initialState: 0) { (state: Int, action: Int) in state + action }
  let clock = ManualClock()
  let outages = Transcript<Bool>()
  private(set) var lanes = EffectLanes()
  private var listener: EffectListener<Int, Int>?

  func take(_ turn: @escaping OutsideEvents<Int, Int>.Follow) {
    let schedule = Schedule(every: .seconds(100), clock: self.clock, random: { 0.5 })
    self.lanes = EffectLanes { [outages] _, isLost in outages.append(isLost) }
    let listener = EffectListener<Int, Int>(
      lanes: self.lanes,
      label: "test",
      outside: [OutsideEvents("test", on: schedule, turn: turn)]
    )
    listener.listen(to: self.store)
    self.listener = listener
  }

  /// The pauses of so many turns, the first of which is before the first turn.
  func pauses(_ count: Int) async -> [Duration] {
    for number in 1..<count {
      await self.clock.sleeps.wait { $0.count == number }
      self.clock.advance(by: .seconds(3_600))
    }
    await self.clock.sleeps.wait { $0.count == count }
    return self.clock.sleeps.entries
  }
}

@Suite(.timeLimit(.minutes(20))) @MainActor struct ScheduleTests {
  @Test func `the pause between two turns is the interval, give or take a tenth`() {
    let pauses = [0, 0.5, 1].map { number in
      Schedule(every: .seconds(300), random: { number }).pause
    }

    #expect(pauses == [.seconds(270), .seconds(300), .seconds(330)])
  }

  @Test func `the first turn is soon, and the next ones after the interval`() async {
    let fixture = Fixture()

    fixture.take { try await $0.store.dispatch(action: 1) }

    #expect(await fixture.pauses(3) == [.milliseconds(2_500), .seconds(100), .seconds(100)])
    #expect(fixture.store.state == 2)
  }

  @Test func `after failures the pauses grow, and the first pause is not repeated`() async {
    let fixture = Fixture()

    fixture.take { if $0.failures < 3 { throw Failure() } }

    #expect(
      await fixture.pauses(5)
        == [.milliseconds(2_500), .seconds(60), .seconds(100), .seconds(200), .seconds(100)])
    #expect(fixture.outages.entries == [false, true, false])
  }

  @Test func `a process that leads again first pauses as when it began`() async {
    let fixture = Fixture()
    fixture.take { try await $0.store.dispatch(action: 1) }
    #expect(await fixture.pauses(2) == [.milliseconds(2_500), .seconds(100)])

    fixture.lanes.lead(false)
    fixture.lanes.lead(true)
    await fixture.clock.sleeps.wait { $0.count == 3 }

    #expect(fixture.clock.sleeps.entries.last == .milliseconds(2_500))
    #expect(fixture.store.state == 1)
  }

  @Test func `a cancelled turn is neither a failure nor a success`() async {
    let (fixture, turns) = (Fixture(), Transcript<Int>())

    fixture.take { following in
      turns.append(following.failures)
      throw turns.entries.count == 1 ? Failure() as any Error : CancellationError()
    }

    #expect(
      await fixture.pauses(4)
        == [.milliseconds(2_500), .seconds(60), .seconds(100), .seconds(100)])
    #expect(turns.entries == [0, 1, 1])
    #expect(fixture.outages.entries == [false, true])
  }
}
