import CounterData
import CounterUI
import Foundation
import HTMLTemplates
import ImmutableData
import ImmutableRuntime
import ImmutableUI
import Testing
import WindowTesting

@testable import DeveloperTools

/// What frames cost: which parts are told of, and how they are added up.
struct CostTests {
  private static func part(
    _ subject: FrameCost.Subject,
    _ microseconds: Int,
    changes: Int = 0,
    rows: FrameTimes.RowCounts? = nil
  ) -> FrameCost.Part {
    var part = FrameCost.Part(subject)
    part.runs = 1
    part.changes = changes
    part.rows = rows
    part.duration = .microseconds(microseconds)
    return part
  }

  private static func select(
    _ region: String?,
    _ microseconds: Int,
    changes: Int = 0,
    rows: FrameTimes.RowCounts? = nil
  ) -> FrameCost.Part {
    Self.part(
      FrameCost.Subject(
        .select, page: "/a", region: region, name: "SelectIt", position: "A/Select.swift:1"),
      microseconds, changes: changes, rows: rows)
  }

  private static func render(_ region: String, _ microseconds: Int) -> FrameCost.Part {
    Self.part(
      FrameCost.Subject(.render, page: "/a", region: region, name: "Part"), microseconds)
  }

  private static func frame(
    _ id: Int,
    _ microseconds: Int,
    _ parts: [FrameCost.Part]
  ) -> MeasuredFrame {
    let cost = FrameCost(
      product: "TestState", since: 0, version: 1, places: 1, bytes: 1,
      duration: .microseconds(microseconds), parts: parts)
    return MeasuredFrame(id: id, time: .now, cost, after: [])
  }

  @Test func `parts are nested in their owners and laid out side by side`() {
    let frame = Self.frame(
      1, 100,
      [
        Self.select("list", 10), Self.select(nil, 5), Self.render("list", 30),
        Self.render("head", 50), Self.part(FrameCost.Subject(.write), 1),
      ])

    let boxes = CostTree(frame).boxes().map { box in
      "\(String(repeating: " ", count: box.depth))\(box.label)"
        + " \(box.start / .microseconds(1)) \(box.duration / .microseconds(1))"
    }

    #expect(
      boxes == [
        "Test 0.0 100.0",
        " /a 0.0 95.0",
        "  head 0.0 50.0",
        "   render 0.0 50.0",
        "  list 50.0 40.0",
        "   render 50.0 30.0",
        "   select SelectIt 80.0 10.0",
        "  several regions 90.0 5.0",
        "   select SelectIt 90.0 5.0",
        " all streams 95.0 1.0",
        "  write 95.0 1.0",
      ])
    #expect(frame.rest == .microseconds(4))
    #expect(frame.longestParts.map { $0.duration / .microseconds(1) } == [50, 30, 10, 5, 1])
  }

  @Test func `frame costs are summed by selector, region and phase`() {
    let totals = CostTotals(of: [
      Self.frame(
        1, 100,
        [
          Self.select("list", 10, changes: 1, rows: .init(looked: 30, changed: 30)),
          Self.render("list", 30),
        ]),
      Self.frame(
        2, 50, [Self.select("list", 2, rows: .init(looked: 2, changed: 1)), Self.select(nil, 4)]),
    ])

    #expect(totals.frameCount == 2)
    #expect(totals.duration == .microseconds(150))
    #expect(totals.phases == [.select: .microseconds(16), .render: .microseconds(30)])
    #expect(totals.selectors.map(\.work.runs) == [3])
    #expect(totals.selectors.map(\.work.changes) == [1])
    #expect(totals.selectors.map(\.work.duration) == [.microseconds(16)])
    #expect(totals.selectors.map(\.work.rows?.words) == ["rows looked at: 32, changed: 31"])
    #expect(totals.regions.map(\.work.subject.place) == ["list of /a"])
    #expect(totals.regions.map(\.work.runs) == [1])
    #expect(totals.regions.map(\.work.duration) == [.microseconds(42)])
  }

  @MainActor @Test func `the actions of a frame stand in a list with commas`() async throws {
    let fixture = try await DeveloperFixture()
    _ = try await fixture.app.open("/counter")

    for action in [.didTapIncrementButton, .didTapIncrementButton, .didTapDecrementButton]
      as [CounterAction]
    {
      try fixture.store.dispatch(action: .counter(action))
    }
    try await fixture.app.frame()
    await fixture.wait { $0.frames.all.isEmpty == false }

    let text = try await fixture.app.open("/developer/cost").text
    let listed = try #require(text.firstMatch(of: /Counter did(\w+) ?, did(\w+)/))
    #expect(Set([listed.1, listed.2]) == ["TapDecrementButton", "TapIncrementButton"])
  }

  @Test func `recorded frames are bounded in number and in bytes`() {
    var frames = Newest<MeasuredFrame>()
    for _ in 0..<(MeasuredFrame.countLimit + 50) {
      let cost = Self.frame(1, 100, [Self.render("a", 1)]).cost
      frames.append { MeasuredFrame(id: $0, time: .now, cost, after: []) }
    }
    #expect(frames.all.count == MeasuredFrame.countLimit)
    #expect(frames.all.first?.id == 51)

    let large = String(repeating: "x", count: 1 << 18)
    for _ in 0..<50 {
      let cost = Self.frame(1, 100, [Self.render(large, 1)]).cost
      frames.append { MeasuredFrame(id: $0, time: .now, cost, after: []) }
    }
    #expect(frames.bytes <= MeasuredFrame.byteLimit)
    #expect(frames.all.count < 20)
    #expect(frames.bytes == frames.all.reduce(0) { $0 + $1.bytes })
  }

  @Test(arguments: [
    (Duration.nanoseconds(40), "0.0 µs"), (.nanoseconds(1_260), "1.3 µs"),
    (.microseconds(99), "99.0 µs"), (.nanoseconds(999_990), "999 µs"),
    (.microseconds(1_234), "1.2 ms"), (.milliseconds(99), "99.0 ms"), (.seconds(2), "2000 ms"),
  ])
  func `durations are in µs or ms, with tenths if short`(duration: Duration, text: String) {
    #expect(duration.words == text)
  }
}

/// The frames of a counter, as its developer sees them.
@MainActor struct MeasuredFrameTests {
  private let app: TestApp
  private let developer: Developer

  init() async throws {
    let store = ImmutableData.Store(
      initialState: CounterState(), reducer: CounterReducer.reduceOrRefuse)
    (self.app, self.developer) = try await Developer.beside(store) { CounterUI.Content.page() }
  }

  /// Waits until so many frames have been measured.
  private func frames(_ count: Int) async -> [MeasuredFrame] {
    await self.developer.wait { $0.frames.all.count >= count }.frames.all
  }

  @Test func `a measured frame lists its action, selectors and regions`()
    async throws
  {
    let window = try await self.app.open("/counter")
    let before = self.app.windows.counts
    try await window.submit("increment")
    try await window.expect("Value: 1")
    let counts = self.app.windows.counts - before

    let frame = try #require(await self.frames(1).last)

    #expect(frame.product == "Counter")
    #expect(frame.cost.places == 1)
    #expect(frame.actions == ["didTapIncrementButton"])
    let selector = try #require(frame.parts.first { $0.subject.phase == .select })
    #expect(selector.subject.name == "SelectValue")
    #expect(selector.subject.position?.hasPrefix("CounterUI/Select.swift:") == true)
    #expect(selector.subject.place == "number of /counter")
    #expect((selector.runs, selector.changes) == (counts.outputRuns, 1))
    let rendered = frame.parts.filter { $0.subject.phase == .render }
    #expect(rendered.map(\.subject.name) == ["CounterNumber"])
    #expect(rendered.map(\.subject.place) == ["number of /counter"])
    #expect(rendered.map(\.runs) == [counts.regionRenders])
    let difference = frame.parts.filter { $0.subject.phase == .difference }
    #expect(difference.map(\.runs) == [counts.diffs])
    #expect(difference.map(\.subject.place) == ["number of /counter"])
    #expect(frame.duration(of: .write) > .zero)
    #expect(frame.rest >= .zero)
  }

  @Test func `the developer's own frames are not measured`() async throws {
    let window = try await self.app.open("/counter")
    let page = try await self.app.open("/developer/cost")
    for value in 1...3 {
      try await window.submit("increment")
      try await window.expect("Value: \(value)")
      _ = await self.frames(value)
      try await page.expect("Frames: \(value).")
    }

    #expect(await self.frames(3).map(\.product) == ["Counter", "Counter", "Counter"])
  }

  @Test func `pausing stops measuring, and clearing removes the frames`() async throws {
    let window = try await self.app.open("/counter")
    let page = try await self.app.open("/developer/cost")
    try await window.submit("increment")
    try await window.expect("Value: 1")
    _ = await self.frames(1)

    try await page.submit("pause")
    try await window.submit("increment")
    try await window.expect("Value: 2")
    try await page.submit("resume")
    try await window.submit("increment")
    try await window.expect("Value: 3")
    let frames = await self.frames(2)
    try await page.submit("clear")

    #expect(frames.map(\.actions) == [["didTapIncrementButton"], ["didTapIncrementButton"]])
    #expect(frames.map(\.id) == [1, 2])
    #expect(self.developer.store.snapshot().state.frames.all == [])
  }
}
