import Fixture
import ImmutableData
import ImmutableRuntime
import ImmutableUI
import Synchronization
import Testing
import WindowTesting

/// What is told of a frame's cost.
@MainActor struct FrameCostTests {
  /// Keeps what is told.
  private final class Costs: Sendable {
    private let costs = Mutex<[FrameCost]>([])

    var all: [FrameCost] { self.costs.withLock { $0 } }

    func add(_ cost: FrameCost) { self.costs.withLock { $0.append(cost) } }
  }

  private let store: Store<FixtureState, FixtureAction>
  private let app: TestApp
  private let costs = Costs()

  init() throws {
    let store = Store(
      initialState: FixtureState(items: .make("Ant", "Bee")), reducer: FixtureReducer.reduce)
    self.store = store
    self.app = try TestApp(templates: .fixture) {
      Provider(store) {
        FixtureContent.page
        FixtureContent.itemsPage
      }
    }
  }

  private func measure(except product: String = "Nobody") {
    self.app.windows.measureFrames(except: product) { [costs] in costs.add($0) }
  }

  /// The parts of a phase, without their times.
  private static func parts(_ phase: FrameCost.Phase, of cost: FrameCost) -> [String] {
    cost.parts.filter { $0.subject.phase == phase }.map { part in
      let subject = part.subject
      let texts = [subject.page, subject.region, subject.name].map { $0 ?? "–" }
      return "\(texts.joined(separator: " ")): \(part.runs) runs, \(part.changes) changes"
    }.sorted()
  }

  @Test func `a selector shared by places is reported once, and each place's region too`()
    async throws
  {
    self.measure()
    let one = try await self.app.open("/fixture?search=a")
    let other = try await self.app.open("/fixture?search=b")

    try self.store.dispatch(action: .ui(.onTapTickButton))
    try await one.expect("Ticks: 1")
    try await other.expect("Ticks: 1")

    let cost = try #require(self.costs.all.last)
    #expect(cost.product == "FixtureState")
    #expect((cost.since, cost.version) == (0, self.store.snapshot().version))
    #expect(cost.places == 2)
    #expect(cost.bytes > 100)
    #expect(Self.parts(.select, of: cost).contains("/fixture root SelectTicks: 1 runs, 1 changes"))
    #expect(
      Self.parts(.render, of: cost) == ["/fixture root FixtureContent: 2 runs, 0 changes"])
    #expect(Self.parts(.difference, of: cost) == ["/fixture root –: 2 runs, 0 changes"])
    #expect(
      Self.parts(.write, of: cost) == [
        "/fixture – –: 2 runs, 0 changes", "– – –: 1 runs, 0 changes",
      ])
    try await self.app.finish()
  }

  @Test func `a selector shared by pages is attributed to none of them`() async throws {
    self.measure()
    let one = try await self.app.open("/fixture")
    let other = try await self.app.open("/items/ant")

    try self.store.dispatch(action: .ui(.onTapTickButton))
    try await one.expect("Ticks: 1")
    try await other.expect("Ticks: 1")

    let cost = try #require(self.costs.all.last)
    #expect(Self.parts(.select, of: cost).contains("– root SelectTicks: 1 runs, 1 changes"))
    #expect(Self.parts(.render, of: cost).count == 2)
    try await self.app.finish()
  }

  @Test func `measured parts match the counters and take no longer than the frame`()
    async throws
  {
    self.measure()
    let windows = [
      try await self.app.open("/fixture"), try await self.app.open("/fixture?selected=bee"),
    ]
    let before = self.app.windows.counts

    try self.store.dispatch(action: .data(.didRename(id: "bee", name: "Wasp")))
    for window in windows { try await window.expect("Wasp") }

    let counts = self.app.windows.counts - before
    let cost = try #require(self.costs.all.last)
    func runs(_ phase: FrameCost.Phase) -> Int {
      cost.parts.reduce(0) { $0 + ($1.subject.phase == phase ? $1.runs : 0) }
    }
    #expect(runs(.render) == counts.regionRenders)
    #expect(runs(.difference) == counts.diffs)
    #expect(cost.parts.reduce(.zero) { $0 + $1.duration } <= cost.duration)
    try await self.app.finish()
  }

  @Test func `an excluded product reports no costs`() async throws {
    self.measure(except: "FixtureState")
    let window = try await self.app.open("/fixture")

    try self.store.dispatch(action: .ui(.onTapTickButton))
    try await window.expect("Ticks: 1")

    #expect(self.costs.all == [])
    try await self.app.finish()
  }
}
