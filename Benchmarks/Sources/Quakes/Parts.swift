import Foundation
import HTMLTemplates
import HashTreeCollections
import ImmutableData
import ImmutableRuntime
import ImmutableUI
import QuakesData
import QuakesUI

/// The parts of a refresh, each by itself, beside what one would write by hand. The best of several
/// runs counts: what else the machine did made others slower.
struct Parts {
  private static let runs = 15

  private let data: Data
  private let windows: Int

  init(_ data: Data, windows: Int) {
    self.data = data
    self.windows = windows
  }

  /// Prints times in nanoseconds.
  func measure() async throws {
    var times: [String: UInt64] = [:]
    func note(_ name: String, _ time: UInt64) {
      times[name] = min(times[name] ?? .max, time)
    }
    let remote = RemoteStore(session: BytesSession(data: self.data, marks: Marks()))
    let quakes = try await remote.fetchRemoteQuakesQuery(range: .allMonth)
    let action = QuakesAction.data(
      .persistentSession(.remoteStore(.didFetchQuakes(result: .success(quakes: quakes))))
    )
    let state = try QuakesReducer.reduce(state: QuakesState(), action: action)
    let count = QuakesState.selectQuakesCount()(state)
    let kept = quakes.filter { $0.magnitude > 0 }
    guard kept.count == count else {
      throw Failure(message: "\(count) earthquakes are in the state, of \(kept.count)")
    }

    for _ in 0..<Self.runs {
      note("decode", try await Self.time { _ = try await remote.fetchRemoteQuakesQuery(range: .allMonth) })
      note("reduce", try Self.time { _ = try QuakesReducer.reduce(state: QuakesState(), action: action) })
      note("reduceByHand", Self.time { Self.consume(PlainLoop.index(quakes).count) })
      note("select", Self.time { for select in Place.selectors { Self.consume(select(state)) } })
    }
    for _ in 0..<5 {
      let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let plain = try PlainSQL(path: folder.appending(path: "plain.store").path)
      note("persistByHand", try Self.time { try plain.insert(kept) })
      let local = try LocalStore(url: folder.appending(path: "quakes.store"))
      note("persist", try await Self.time {
        try await local.didFetchRemoteQuakesMutation(inserted: kept, updated: [], deleted: [])
      })
      try local.close()
    }
    let frames = try await self.frames(action)
    for time in frames.times { note("frame", time) }
    for time in frames.joins { note("join", time) }
    guard frames.counts["outputRuns", default: 0] > Place.selectors.count else {
      throw Failure(message: "a frame runs fewer selectors than are measured: \(frames.counts)")
    }
    let searches = try self.searches(state)
    try printJSON(
      Result(
        bytes: self.data.count,
        features: quakes.count,
        quakes: count,
        selectors: Place.selectors.count,
        frame: frames.counts,
        times: times,
        searches: searches
      )
    )
  }

  private struct Result: Encodable {
    let bytes: Int
    let features: Int
    let quakes: Int
    let selectors: Int
    let frame: [String: Int]
    let times: [String: UInt64]
    let searches: [Search]
  }
}

// Rendering: a frame for all windows, whose events nobody is sent.
extension Parts {
  /// - Returns: Times of frames, and what the last of them counted; and times in which a further
  ///   window at the first place came to be shown it.
  private func frames(
    _ action: QuakesAction
  ) async throws -> (times: [UInt64], counts: [String: Int], joins: [UInt64]) {
    let store = await Store(initialState: QuakesState(), reducer: QuakesReducer.reduce)
    // So that windows have nothing to wait for.
    try await store.dispatch(action: action)
    let group = try WindowGroup(templates: TemplateLibrary(directory: "Templates")) {
      Provider(store) { Content.page() }
    }
    let environment = WindowEnvironment(timeZone: .gmt, date: QuakesBenchmark.anchor)
    var joins: [UInt64] = []
    for window in 0..<self.windows {
      let (stream, session) = (Identifier(), Identifier())
      _ = try await group.openStream(stream, session: session)
      let place = window % Place.all.count
      let time = try await Self.time {
        _ = try await group.join(
          stream: stream,
          session: session,
          at: Place.all[place].url,
          navigation: 1,
          tags: [:],
          environment: environment
        )
      }
      if place == 0 { joins.append(time) }
    }
    var times: [UInt64] = []
    var counts = RenderCounts()
    for _ in 0..<Self.runs {
      try await store.dispatch(action: .ui(.quakeList(.onTapDeleteAllQuakesButton)))
      await group.frame()
      try await store.dispatch(action: action)
      let before = group.counts
      times.append(await Self.time { await group.frame() })
      counts = group.counts - before
    }
    return (times, counts.byName, joins)
  }
}

// Sort and filter.
extension Parts {
  struct Search: Encodable {
    let name: String
    let found: Int
    let selector: UInt64
    let byHand: UInt64
  }

  private func searches(_ state: QuakesState) throws -> [Search] {
    let month = QuakesBenchmark.anchor.addingTimeInterval(-31 * 86_400)..<QuakesBenchmark.anchor
    let day = QuakesBenchmark.anchor.addingTimeInterval(-86_400)..<QuakesBenchmark.anchor
    let cases = [
      ("a day, by time", "", day, false), ("a day, by magnitude", "", day, true),
      ("“Alaska” in a day, by time", "Alaska", day, false),
      ("“Alaska” in the month, by magnitude", "Alaska", month, true),
      ("the month, by time", "", month, false), ("the month, by magnitude", "", month, true),
    ]
    // In the order in which the state has them, which is none.
    let loop = PlainLoop(Array(state.quakesTable.rows.values))
    return try cases.map { name, text, interval, isByMagnitude in
      let search = QuakeSearch(text, in: interval)
      let empty: SortedRows<Quake> =
        isByMagnitude
        ? .quakes(search, sort: \.magnitude, order: .reverse)
        : .quakes(search, sort: \.time, order: .forward)
      var (best, bestByHand) = (UInt64.max, UInt64.max)
      var (found, foundByHand) = (empty, [PlainLoop.Row]())
      for _ in 0..<Self.runs {
        best = min(best, Self.time { found = empty.with(state) })
        bestByHand = min(bestByHand, Self.time {
          foundByHand = loop.find(text, interval, isByMagnitude: isByMagnitude)
        })
      }
      guard found.map(\.id) == foundByHand.map(\.id) else {
        throw Failure(message: "\(name): the loop by hand finds others, or sorts them otherwise")
      }
      return Search(name: name, found: found.count, selector: best, byHand: bestByHand)
    }
  }
}

extension Parts {
  private static func time(_ work: () throws -> Void) rethrows -> UInt64 {
    let start = Marks.now
    try work()
    return Marks.now - start
  }

  private static func time(_ work: () async throws -> Void) async rethrows -> UInt64 {
    let start = Marks.now
    try await work()
    return Marks.now - start
  }

  /// Keeps a result from being optimised away.
  @inline(never) private static func consume(_ value: Int) {}
}

extension RenderCounts {
  var byName: [String: Int] {
    [
      "outputRuns": self.outputRuns, "dependencyRuns": self.dependencyRuns,
      "regionRenders": self.regionRenders, "rowRenders": self.rowRenders, "diffs": self.diffs,
      "frames": self.frames,
    ]
  }
}
