import TestSupport
import Testing

@testable import ImmutableData

extension EffectLanes {
  /// Runs an effect that needs no store.
  fileprivate func run(
    in lane: String? = nil,
    _ work: @escaping @Sendable () async -> Void
  ) {
    let store = Store(initialState: 0) { (state: Int, _: Int) in state }
    self.run(Effect("work", lane: lane) { _, _ in await work() }, on: ViewStore(store))
  }

  /// Waits for the effects of a lane that were begun before, by means of one more.
  fileprivate func finish(_ lane: String) async {
    let gate = Gate()
    self.run(in: lane) { gate.open() }
    await gate.wait()
  }
}

// The limit is for what would else hang.
@Suite(.timeLimit(.minutes(20))) @MainActor struct EffectLanesTests {
  private let lanes = EffectLanes()
  private let transcript = Transcript<String>()

  @Test func `effects of one lane run in their order and one at a time`() async {
    for number in 0..<100 {
      self.lanes.run(in: "lane") { [transcript] in
        transcript.append("began \(number)")
        // So that another effect gets in between if it can.
        await Task.yield()
        transcript.append("ended \(number)")
      }
    }

    await self.lanes.finish("lane")

    #expect(self.transcript.entries == (0..<100).flatMap { ["began \($0)", "ended \($0)"] })
  }

  @Test func `an effect that is begun when its lane is idle runs`() async {
    self.lanes.run(in: "lane") { [transcript] in transcript.append("first") }
    await self.lanes.finish("lane")

    self.lanes.run(in: "lane") { [transcript] in transcript.append("second") }
    await self.lanes.finish("lane")

    #expect(self.transcript.entries == ["first", "second"])
  }

  @Test(arguments: [("one", "other"), ("one", nil), (nil, "other"), (nil, nil)])
  func `effects of different lanes, or of none, run concurrently`(
    lane: String?,
    otherLane: String?
  ) async {
    let gate = Gate()
    let ended = Gate()

    self.lanes.run(in: lane) { [transcript] in
      await gate.wait()
      transcript.append("first")
      ended.open()
    }
    self.lanes.run(in: otherLane) { [transcript] in
      transcript.append("second")
      gate.open()
    }
    await ended.wait()

    #expect(self.transcript.entries == ["second", "first"])
  }

  @Test func `a lane that is held holds up only itself`() async {
    let gate = Gate()
    self.lanes.run(in: "held") { [transcript] in
      await gate.wait()
      transcript.append("held 1")
    }
    self.lanes.run(in: "held") { [transcript] in transcript.append("held 2") }
    self.lanes.run(in: "other") { [transcript] in transcript.append("other 1") }
    self.lanes.run(in: "other") { [transcript] in transcript.append("other 2") }

    await self.lanes.finish("other")
    gate.open()
    await self.lanes.finish("held")

    #expect(self.transcript.entries == ["other 1", "other 2", "held 1", "held 2"])
  }

  @Test func `every effect that has not ended counts, begun or waiting`() {
    let gate = Gate()
    defer { gate.open() }
    #expect(self.lanes.count == 0)

    self.lanes.run(in: "lane") { await gate.wait() }
    self.lanes.run(in: "lane") { await gate.wait() }
    self.lanes.run { await gate.wait() }

    #expect(self.lanes.count == 3)
  }

  @Test func `an effect that has ended no longer counts`() async {
    let gate = Gate()
    defer { gate.open() }
    let othersEnded = Gate()
    self.lanes.run(in: "lane") {}
    self.lanes.run(in: "lane") {}
    // It begins after the others have ended.
    self.lanes.run(in: "lane") {
      othersEnded.open()
      await gate.wait()
    }

    await othersEnded.wait()

    #expect(self.lanes.count == 1)
  }

  @Test(arguments: [nil, "lane"])
  func `an effect can begin another`(lane: String?) async {
    let ended = Gate()

    self.lanes.run(in: lane) { [lanes, transcript] in
      await lanes.run(in: lane) {
        transcript.append("inner")
        ended.open()
      }
    }
    await ended.wait()

    #expect(self.transcript.entries == ["inner"])
  }
}
