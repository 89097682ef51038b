import Synchronization
import Testing

@testable import ImmutableData

/// Holds whoever waits until it is opened; open, it holds nobody.
private final class Gate: Sendable {
  private struct Contents {
    var isOpen = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let contents = Mutex(Contents())

  func wait() async {
    await withCheckedContinuation { continuation in
      let isOpen = self.contents.withLock { contents in
        if contents.isOpen == false { contents.waiting.append(continuation) }
        return contents.isOpen
      }
      if isOpen { continuation.resume() }
    }
  }

  func open() {
    let waiting = self.contents.withLock { contents in
      defer { contents.waiting = [] }
      contents.isOpen = true
      return contents.waiting
    }
    for continuation in waiting { continuation.resume() }
  }
}

/// What happened, in its order, from whichever thread.
private final class Transcript: Sendable {
  private let contents = Mutex<[String]>([])

  var entries: [String] {
    self.contents.withLock { $0 }
  }

  func append(_ entry: String) {
    self.contents.withLock { $0.append(entry) }
  }
}

// The limit is for what would else hang.
@Suite(.timeLimit(.minutes(1))) @MainActor struct EffectLanesTests {
  private let lanes = EffectLanes()
  private let transcript = Transcript()

  @Test func `effects of one lane run in their order and one at a time`() async {
    for number in 0..<100 {
      self.lanes.run(in: "lane") { [transcript] in
        transcript.append("began \(number)")
        // So that another effect gets in between if it can.
        await Task.yield()
        transcript.append("ended \(number)")
      }
    }

    await self.lanes.finish()

    #expect(self.transcript.entries == (0..<100).flatMap { ["began \($0)", "ended \($0)"] })
  }

  @Test func `an effect that is begun when its lane is idle runs`() async {
    self.lanes.run(in: "lane") { [transcript] in transcript.append("first") }
    await self.lanes.finish()

    self.lanes.run(in: "lane") { [transcript] in transcript.append("second") }
    await self.lanes.finish()

    #expect(self.transcript.entries == ["first", "second"])
  }

  @Test(
    arguments: [("one", "other"), ("one", nil), (nil, "other"), (nil, nil)] as [(String?, String?)])
  func `effects of different lanes, and those without, run beside each other`(
    lane: String?,
    otherLane: String?
  ) async {
    let gate = Gate()

    self.lanes.run(in: lane) { [transcript] in
      await gate.wait()
      transcript.append("first")
    }
    self.lanes.run(in: otherLane) { [transcript] in
      transcript.append("second")
      gate.open()
    }
    await self.lanes.finish()

    #expect(self.transcript.entries == ["second", "first"])
  }

  @Test func `a lane that is held holds up only itself`() async {
    let gate = Gate()
    let otherLaneEnded = Gate()
    self.lanes.run(in: "held") { [transcript] in
      await gate.wait()
      transcript.append("held 1")
    }
    self.lanes.run(in: "held") { [transcript] in transcript.append("held 2") }
    self.lanes.run(in: "other") { [transcript] in transcript.append("other 1") }
    self.lanes.run(in: "other") { [transcript] in
      transcript.append("other 2")
      otherLaneEnded.open()
    }

    await otherLaneEnded.wait()
    gate.open()
    await self.lanes.finish()

    #expect(self.transcript.entries == ["other 1", "other 2", "held 1", "held 2"])
  }

  @Test func `every effect that has not ended counts, begun or waiting`() async {
    let gate = Gate()
    #expect(self.lanes.count == 0)

    self.lanes.run(in: "lane") { await gate.wait() }
    self.lanes.run(in: "lane") { await gate.wait() }
    self.lanes.run { await gate.wait() }

    #expect(self.lanes.count == 3)
    gate.open()
    await self.lanes.finish()
    #expect(self.lanes.count == 0)
  }

  @Test func `an effect that has ended no longer counts`() async {
    let gate = Gate()
    let firstEnded = Gate()
    self.lanes.run(in: "lane") {}
    // It begins after the first has ended.
    self.lanes.run(in: "lane") {
      firstEnded.open()
      await gate.wait()
    }

    await firstEnded.wait()

    #expect(self.lanes.count == 1)
    gate.open()
    await self.lanes.finish()
  }

  @Test func `nothing under way is finished`() async {
    await self.lanes.finish()

    #expect(self.lanes.count == 0)
  }

  @Test func `everyone who waits for the end is told`() async {
    let gate = Gate()
    self.lanes.run { await gate.wait() }

    let waiting = (0..<10).map { _ in
      Task { [lanes] in
        await lanes.finish()
        return lanes.count
      }
    }
    gate.open()

    for task in waiting {
      #expect(await task.value == 0)
    }
  }

  @Test(arguments: [nil, "lane"])
  func `effects that effects begin are waited for`(lane: String?) async {
    self.lanes.run(in: lane) { [lanes, transcript] in
      await lanes.run(in: lane) {
        await Task.yield()
        transcript.append("inner")
      }
    }

    await self.lanes.finish()

    #expect(self.transcript.entries == ["inner"])
  }
}
