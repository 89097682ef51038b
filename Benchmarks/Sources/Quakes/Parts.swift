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
    let session = BytesSession(self.data)
    let remote = RemoteStore(session: session)
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

    let changedData = ChangingFeed.changed(self.data, 1)
    let newer = try await RemoteStore(session: BytesSession(changedData))
      .fetchRemoteQuakesQuery(range: .allMonth)
    session.serve(changedData)
    guard try await remote.fetchRemoteQuakesQuery(range: .allMonth) == newer else {
      throw Failure(message: "decoded by difference it is another feed")
    }
    let changed = zip(quakes, newer).compactMap { $0 == $1 ? nil : $1 }
    guard changed.count == ChangingFeed.changedCount else {
      throw Failure(
        message: "\(changed.count) earthquakes are newer, not \(ChangingFeed.changedCount)")
    }
    let again = QuakesAction.data(
      .persistentSession(.remoteStore(.didFetchQuakes(result: .success(quakes: newer))))
    )

    for run in 0..<Self.runs {
      session.serve(run.isMultiple(of: 2) ? self.data : changedData)
      let first = RemoteStore(session: session)
      note("decode", try await Self.time { _ = try await first.fetchRemoteQuakesFeed(range: .allMonth) })
      // It has decoded the other one before.
      note(
        "decodeAgain",
        try await Self.time { _ = try await remote.fetchRemoteQuakesFeed(range: .allMonth) })
      note("reduce", try Self.time { _ = try QuakesReducer.reduce(state: QuakesState(), action: action) })
      let time = try Self.time { _ = try QuakesReducer.reduce(state: state, action: again) }
      note("reduceAgain", time)
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
      let time = try await Self.time {
        try await local.didFetchRemoteQuakesMutation(inserted: [], updated: changed, deleted: [])
      }
      note("persistAgain", time)
      try local.close()
    }
    let frames = try await self.frames(action, again)
    for time in frames.times { note("frame", time) }
    for time in frames.again { note("frameAgain", time) }
    for time in frames.searches { note("search", time) }
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
  struct Frames {
    var times: [UInt64] = []
    /// Those of refreshes that change little.
    var again: [UInt64] = []
    /// What the last of the first kind counted.
    var counts: [String: Int] = [:]
    /// Until a further window at the first place was shown it.
    var joins: [UInt64] = []
    /// Until a window was shown a search that nobody had typed before.
    var searches: [UInt64] = []
  }

  /// - Parameter again: A refresh after `action`.
  private func frames(_ action: QuakesAction, _ again: QuakesAction) async throws -> Frames {
    let store = await Store(initialState: QuakesState(), reducer: QuakesReducer.reduce)
    // So that windows have nothing to wait for.
    try await store.dispatch(action: action)
    let group = try WindowGroup(templates: TemplateLibrary(directory: "Templates")) {
      Provider(store) { Content.page() }
    }
    let environment = WindowEnvironment(timeZone: .gmt, date: QuakesBenchmark.anchor)
    func join(_ url: String) async throws -> UInt64 {
      let (stream, session) = (Identifier(), Identifier())
      _ = try group.openStream(stream, session: session)
      return try await Self.time {
        _ = try await group.join(
          stream: stream, session: session, at: url, navigation: 1, tags: [:],
          environment: environment)
      }
    }
    var frames = Frames()
    for window in 0..<self.windows {
      let place = window % Place.all.count
      let time = try await join(Place.all[place].url)
      if place == 0 { frames.joins.append(time) }
    }
    for _ in 0..<Self.runs {
      try await store.dispatch(action: .ui(.quakeList(.onTapDeleteAllQuakesButton)))
      await group.frame()
      try await store.dispatch(action: action)
      let before = group.counts
      frames.times.append(await Self.time { await group.frame() })
      frames.counts = (group.counts - before).byName
      try await store.dispatch(action: again)
      frames.again.append(await Self.time { await group.frame() })
    }
    // All find the same, and none of them is at a place already.
    for text in ["alask", "laska", "lask", "aska", "alas"] {
      frames.searches.append(try await join("\(Place.all[0].url)&search=\(text)"))
    }
    return frames
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
