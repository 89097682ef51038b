public import Foundation
public import ImmutableRuntime
import ImmutableUI

/// Does again what a ``Recorder`` has recorded, and compares what becomes of it.
///
/// ```swift
/// let replay = Replay(initialState: AppState(), reducer: AppReducer.reduce, windows: windows)
/// switch try replay.run(URL(filePath: "recording.jsonl")) {
/// case .same(let actions, let pages): print("\(actions) actions, \(pages) pages, all the same")
/// case .differs(let difference): print(difference)
/// }
/// ```
public struct Replay<State: Sendable, Action: Codable & Sendable>: Sendable {
  let initialState: State
  let reduce: @Sendable (State, Action) throws -> State
  let windows: WindowGroup?
  let upcasters: [Upcaster]

  /// - Parameters:
  ///   - state: The state that the recorded store began with.
  ///   - reducer: What is to be compared with the recorded one.
  ///   - windows: The pages that are to be compared with the recorded ones, of stores of the same kind
  ///     as the recorded one; nothing is dispatched to them. `nil`: pages are not compared.
  ///   - upcasters: Read what older releases have recorded.
  public init(
    initialState state: State,
    reducer: @escaping @Sendable (State, Action) throws -> State,
    windows: WindowGroup? = nil,
    upcasters: [Upcaster] = []
  ) {
    self.initialState = state
    self.reduce = reducer
    self.windows = windows
    self.upcasters = upcasters
  }

  /// What became of a recording.
  public enum Outcome: Sendable {
    /// So many actions led to the same states, and so many pages consist of the same bytes.
    case same(actions: Int, pages: Int)
    /// The first that did not.
    case differs(Difference)
  }

  /// An action that led elsewhere, or a page that shows something else.
  public struct Difference: Sendable, CustomStringConvertible {
    /// The number of its line, from 1.
    public let line: Int
    public let version: UInt64
    /// The action's name, or the URL and the region.
    public let subject: String
    /// What was expected, and what came instead.
    public let reason: String
    /// What the action changes now, one line for each part; or the HTML that the region has now.
    public let changes: [String]

    public var description: String {
      "line \(self.line), version \(self.version), \(self.subject): \(self.reason)"
    }
  }

  /// Whether a recording can be replayed, before anything is.
  public enum Verdict: Hashable, Sendable {
    case fine
    /// The store begins with another state now, so states cannot be compared before the first
    /// checkpoint; refusals and pages can.
    case risky
    /// Why not: it has an action that is not one of ours.
    case impossible(String)
  }

  /// - Throws: ``RecordingError`` if it is no recording.
  /// - Complexity: O(n), n bytes.
  public func verdict(_ url: URL) throws -> Verdict {
    let recording = try Recording<Action>(url, self.upcasters)
    for number in recording.numbers {
      do {
        _ = try recording.line(number)
      } catch {
        return .impossible("\(error)")
      }
    }
    do {
      return try StateFold(self, recording).digest.text == recording.header.digest ? .fine : .risky
    } catch {
      return .impossible("\(error)")
    }
  }

  /// What a visitor has reported, in the visitor's words; `nil` if the recording is no report.
  ///
  /// - Throws: ``RecordingError`` if it is no recording.
  public func report(_ url: URL) throws -> String? {
    try Recording<Action>(url, self.upcasters).header.report?.description
  }

  /// - Parameter url: The recording. What follows its last line end was cut off, and is not read.
  /// - Throws: ``RecordingError`` if it is no recording, or has an action that is not one of ours: a
  ///   replay stops there and skips nothing.
  /// - Complexity: O(n), n bytes, besides the reducer and the pages.
  public func run(_ url: URL) throws -> Outcome {
    let recording = try Recording<Action>(url, self.upcasters)
    var states = try StateFold(self, recording)
    var comparesStates = states.digest.text == recording.header.digest
    var places = RecordedPlaces()
    // Pages of one version follow each other, and have much in common.
    var past: (version: UInt64, pages: PastPages)?
    var (actions, pages) = (0, 0)
    for number in recording.numbers {
      switch try recording.line(number) {
      case .action(let recorded):
        let old = states.newest
        let result = states.reduce(recorded)
        actions += 1
        let digest = comparesStates ? states.digest.text : recorded.digest
        if let reason = Self.reason(recorded, result, digest) {
          let changes = StateDifference(from: old, to: states.newest).changes
          return .differs(
            Difference(
              line: number,
              version: recorded.version,
              subject: ActionName(recorded.action).cases,
              reason: reason,
              changes: changes.map(\.description)
            ))
        }
      case .visit: continue
      case .page(let page):
        places.add(page, line: number)
      case .checkpoint(let checkpoint):
        // From here on states can be compared, even if the store begins with another one now.
        guard comparesStates == false, let state: State = try? recording.state(at: number) else {
          continue
        }
        states.take(state, checkpoint)
        past = nil
        comparesStates = states.digest.text == checkpoint.digest
      }
      while let place = places.next(through: states.version) {
        guard let windows = self.windows, place.tags.isEmpty == false,
          let state = states.state(at: place.version)
        else { continue }
        pages += 1
        if past?.version != place.version { past = (place.version, windows.past(in: state)) }
        if let past, let difference = Self.difference(of: place, in: past.pages) {
          return .differs(difference)
        }
      }
    }
    return .same(actions: actions, pages: pages)
  }

  /// Why a result is not the recorded one; `nil` if it is.
  private static func reason(
    _ recorded: RecordedAction<Action>,
    _ result: Result<State, any Error>,
    _ digest: String
  ) -> String? {
    switch (result, recorded.refusal) {
    case (.success, let refusal?): "it was refused (\(refusal)), and no longer is"
    case (.failure(let error), nil): "it was not refused, and is now: \(error)"
    case (.failure, _?): nil
    case (.success, nil):
      digest == recorded.digest ? nil : "it leads to another state than it did"
    }
  }

  /// The first region that is not the recorded one; `nil` if all are.
  private static func difference(
    of place: RecordedPlaces.Place,
    in past: PastPages
  ) -> Difference? {
    let regions = past.regions(place.beginning.url, environment: place.beginning.environment)
    let url = place.beginning.url
    func difference(_ subject: String, _ reason: String, _ changes: [String]) -> Difference {
      Difference(
        line: place.line, version: place.version, subject: subject, reason: reason, changes: changes
      )
    }
    guard let regions else { return difference(url, "there is no such page any longer", []) }
    for region in regions where place.tags[region.name] != region.tag.text {
      let reason =
        place.tags[region.name] == nil
        ? "it was not there, and is now" : "it shows something else than it did"
      return difference("\(url), region \(region.name)", reason, HTMLLines(region.html).lines)
    }
    let names = Set(regions.map(\.name))
    return place.tags.keys.filter { names.contains($0) == false }.min().map { name in
      difference("\(url), region \(name)", "it was there, and no longer is", [])
    }
  }
}

/// The states that recorded actions lead to.
struct StateFold<State: Sendable, Action: Codable & Sendable> {
  private let reducer: @Sendable (State, Action) throws -> State
  private(set) var newest: State
  private(set) var version: UInt64 = 0
  private(set) var digest: StateDigest
  /// The newest, oldest first: pages are recorded a moment after the actions that they show.
  private var states: [(version: UInt64, state: State)]

  /// Begins with the recording's first checkpoint, or with the first state.
  ///
  /// - Throws: ``RecordingError`` if the checkpoint has no state of this program.
  init(_ replay: Replay<State, Action>, _ recording: Recording<Action>) throws {
    self.reducer = replay.reduce
    self.newest = replay.initialState
    self.digest = StateDigest(of: self.newest)
    self.states = [(0, self.newest)]
    if let number = recording.firstCheckpoint,
      case .checkpoint(let checkpoint) = try recording.line(number)
    {
      self.take(try recording.state(at: number), checkpoint)
    }
  }

  /// Goes on with the state of a checkpoint. What was before is not known.
  mutating func take(_ state: State, _ checkpoint: RecordedCheckpoint) {
    self.newest = state
    self.version = checkpoint.version
    self.digest = StateDigest(of: state)
    self.states = [(checkpoint.version, state)]
  }

  mutating func reduce(_ recorded: RecordedAction<Action>) -> Result<State, any Error> {
    let result = Result { try self.reducer(self.newest, recorded.action) }
    self.version = recorded.version
    if case .success(let new) = result {
      self.digest.follow(from: self.newest, to: new)
      self.newest = new
      self.states.append((recorded.version, new))
      if self.states.count > 2 * RecordingFormat.waitingLimit {
        self.states.removeFirst(RecordingFormat.waitingLimit)
      }
    }
    return result
  }

  /// - Returns: `nil` if it was too long ago.
  func state(at version: UInt64) -> State? {
    self.states.last { $0.version <= version }?.state
  }
}

/// What windows showed at a point of a recording.
struct RecordedPlaces {
  struct Place {
    let beginning: RecordedPage.Beginning
    var line: Int
    var version: UInt64
    var tags: [String: String]
  }

  private var places: [Int: Place] = [:]
  /// What is ahead of the actions that were read, which is little.
  private var waiting: [(line: Int, page: RecordedPage)] = []

  mutating func add(_ page: RecordedPage, line: Int) {
    self.waiting.append((line, page))
  }

  /// The next change of a place that is no newer than a version.
  mutating func next(through version: UInt64) -> Place? {
    while let index = self.waiting.firstIndex(where: { $0.page.version <= version }) {
      let (line, page) = self.waiting.remove(at: index)
      guard let tags = page.tags else {
        self.places[page.place] = nil
        continue
      }
      if let beginning = page.begins {
        self.places[page.place] = Place(beginning: beginning, line: line, version: 0, tags: [:])
      }
      self.places[page.place]?.tags.merge(tags.compactMapValues(\.self)) { $1 }
      for (name, tag) in tags where tag == nil { self.places[page.place]?.tags[name] = nil }
      self.places[page.place]?.line = line
      self.places[page.place]?.version = page.version
      if let place = self.places[page.place] { return place }
    }
    return nil
  }

  /// What windows show now, by the number of the place.
  var shown: [Int: RecordedPage.Beginning] { self.places.mapValues(\.beginning) }
}
