import Foundation
import HTMLTemplates
import ImmutableData
import ImmutableRuntime
import ImmutableUI
import QuakesData
import QuakesUI
import WindowTesting

/// The earthquakes on stores in memory.
struct QuakesFixture {
  let local: MemoryStore
  let remote: MemoryFeed
  let store: Store<QuakesState, QuakesAction>
  let listener: QuakesData.Listener<MemoryStore, MemoryFeed>
  let app: TestApp

  init(_ quakes: [Quake] = .somewhere, feed: [Quake] = []) async throws {
    let store = await Store(initialState: QuakesState(), reducer: QuakesReducer.reduce)
    let lanes = EffectLanes()
    self.local = MemoryStore(quakes)
    self.remote = MemoryFeed(feed)
    self.store = store
    self.listener = await QuakesData.Listener(
      localStore: self.local,
      remoteStore: self.remote,
      lanes: lanes
    )
    await self.listener.listen(to: store)
    var configuration = WindowGroup.Configuration()
    configuration.appearTimeout = .seconds(60)
    self.app = try TestApp(
      templates: TemplateLibrary(directory: "Templates"),
      configuration: configuration
    ) {
      Provider(store, effects: lanes) { Content.page() }
    }
  }

  /// - Parameter query: Begins with `?`, or is empty.
  func open(
    _ query: String = "",
    zone: String = "UTC",
    at date: Date = .noon
  ) async throws -> TestWindow {
    guard let timeZone = TimeZone(identifier: zone) else {
      throw CocoaError(.featureUnsupported)
    }
    return try await self.app.open(
      "/quakes\(query)",
      environment: WindowEnvironment(timeZone: timeZone, date: date)
    )
  }
}

/// A local store in memory.
actor MemoryStore: PersistentSessionLocalStore {
  private(set) var quakes: [Quake.ID: Quake]
  private var failure: Failure?

  init(_ quakes: [Quake]) {
    self.quakes = Dictionary(uniqueKeysWithValues: quakes.map { ($0.id, $0) })
  }

  func fail() {
    self.failure = Failure(errorDescription: "The disk is full.")
  }

  func fetchLocalQuakesQuery() async throws -> [Quake] {
    Array(self.quakes.values)
  }

  func didFetchRemoteQuakesMutation(
    inserted: [Quake],
    updated: [Quake],
    deleted: [Quake]
  ) async throws {
    if let failure = self.failure { throw failure }
    for quake in inserted + updated { self.quakes[quake.id] = quake }
    for quake in deleted { self.quakes[quake.id] = nil }
  }

  func deleteLocalQuakeMutation(quakeId: Quake.ID) async throws {
    if let failure = self.failure { throw failure }
    self.quakes[quakeId] = nil
  }

  func deleteLocalQuakesMutation() async throws {
    if let failure = self.failure { throw failure }
    self.quakes = [:]
  }
}

/// A remote store in memory, which can be held up.
actor MemoryFeed: PersistentSessionFeedStore {
  private var answer: Result<QuakesFeed, Failure>
  private var isHeld = false
  private var held: [CheckedContinuation<Void, Never>] = []
  private(set) var ranges: [QuakesAction.UI.QuakeList.RefreshQuakesRange] = []

  init(_ quakes: [Quake]) {
    self.answer = .success(QuakesFeed(quakes: quakes, skipped: 0))
  }

  func answer(_ quakes: [Quake], skipped: Int = 0) {
    self.answer = .success(QuakesFeed(quakes: quakes, skipped: skipped))
  }

  func fail() {
    self.answer = .failure(Failure(errorDescription: "The feed is down."))
  }

  func hold() {
    self.isHeld = true
  }

  func release() {
    self.isHeld = false
    for continuation in self.held { continuation.resume() }
    self.held = []
  }

  func fetchRemoteQuakesFeed(
    range: QuakesAction.UI.QuakeList.RefreshQuakesRange
  ) async throws -> QuakesFeed {
    self.ranges.append(range)
    if self.isHeld {
      await withCheckedContinuation { self.held.append($0) }
    }
    return try self.answer.get()
  }
}

struct Failure: LocalizedError {
  let errorDescription: String?
}

extension Date {
  /// At noon on February 7, 2018, in UTC.
  static let noon = Date(timeIntervalSince1970: 1_518_004_800)

  /// A time of that day, in UTC.
  static func at(_ hour: Int, _ minute: Int = 0) -> Date {
    noon.addingTimeInterval(TimeInterval((hour - 12) * 3_600 + minute * 60))
  }
}

extension Quake {
  static func make(
    _ quakeId: String,
    magnitude: Double = 1,
    time: Date = .noon,
    name: String? = nil,
    longitude: Double = 0,
    latitude: Double = 0
  ) -> Self {
    Quake(
      quakeId: quakeId,
      magnitude: magnitude,
      time: time,
      updated: time,
      name: name ?? quakeId.capitalized,
      longitude: longitude,
      latitude: latitude
    )
  }
}

extension [Quake] {
  /// Three of a day, and one of the day before.
  static let somewhere: Self = [
    .make("alaska", magnitude: 2.25, time: .at(1), longitude: -150, latitude: 61),
    .make(
      "jose", magnitude: 5, time: .at(9), name: "San José, Costa Rica", longitude: -84, latitude: 10
    ),
    .make("tonga", magnitude: 7.5, time: .at(23, 30), longitude: -175, latitude: -21),
    .make("before", magnitude: 3, time: .at(-2), longitude: 13, latitude: 52),
  ]

  /// Fifty small ones of a day, so far apart that no marker covers another, even on a small map.
  static var apart: Self {
    (0..<50).map { index -> Quake in
      let (row, column) = index.quotientAndRemainder(dividingBy: 10)
      let time = Date.noon.addingTimeInterval(TimeInterval(index))
      return .make(
        "q\(index)",
        magnitude: Double(index) / 200,
        time: time,
        longitude: Double(column * 36 - 180),
        latitude: [-65, -35, 0, 35, 65][row]
      )
    }
  }

  /// Many of a day.
  static func many(_ count: Int) -> Self {
    (0..<count).map { index -> Quake in
      let magnitude = Double(index % 70 + 1) / 10
      let time = Date.noon.addingTimeInterval(TimeInterval(index))
      return .make(
        "q\(index)",
        magnitude: magnitude,
        time: time,
        longitude: Double(index % 360 - 180),
        latitude: Double(index % 150 - 75)
      )
    }
  }
}
