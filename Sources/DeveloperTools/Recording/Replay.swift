public import Foundation
public import ImmutableRuntime
import ImmutableUI

/// Replays what a ``Recorder`` has recorded, and compares the results.
///
/// ```swift
/// let replay = Replay(initialState: AppState(), reducer: AppReducer.reduce, windows: windows)
/// // What was compared, or what differs:
/// print(try replay.compare(URL(filePath: "recording.jsonl")))
/// ```
public struct Replay<State: Sendable, Action: Codable & Sendable>: Sendable {
  /// The effects that an action starts, as lines (`Effect.lines`).
  public typealias Effects =
    @MainActor @Sendable (_ oldState: State, _ state: State, Action) -> [String]

  let initialState: State
  let reduce: @Sendable (State, Action) throws -> State
  let windows: WindowGroup?
  let upcasters: [Upcaster]
  let effects: Effects?

  /// - Parameters:
  ///   - state: The initial state of the store, for a recording that has none that this program
  ///     can read.
  ///   - reducer: The reducer to compare with the recorded one.
  ///   - windows: The pages to compare with the recorded ones, of stores of the same kind as the
  ///     recorded one. Nothing is dispatched to them. With `nil`, pages are not compared.
  ///   - upcasters: Convert the recordings of older releases.
  ///   - effects: The effects that listeners start, for ``play(_:_:)``. They do not run.
  public init(
    initialState state: State,
    reducer: @escaping @Sendable (State, Action) throws -> State,
    windows: WindowGroup? = nil,
    upcasters: [Upcaster] = [],
    effects: Effects? = nil
  ) {
    self.initialState = state
    self.reduce = reducer
    self.windows = windows
    self.upcasters = upcasters
    self.effects = effects
  }

  /// The result of a replay.
  public enum Outcome: Sendable {
    /// This number of actions led to the same states, and this number of page changes had the same
    /// bytes.
    case same(actions: Int, pages: Int)
    /// The first difference.
    case differs(Difference)
  }

  /// A result, with what was not compared.
  public struct Comparison: Sendable {
    public let outcome: Outcome
    /// Whether states were not compared, because an older program has recorded their digests. Refusals
    /// and pages were.
    public let hasOtherDigests: Bool
    /// The number of actions after which the states were not compared, because of that, or because
    /// the recording has no state before them that this program can read. Refusals were.
    public let actionsWithoutState: Int
    /// The number of page changes that were not compared, because the recording does not have the
    /// content of pages.
    public let pagesWithoutContent: Int
    /// The number of page changes that were not compared, because they show a state that is older
    /// than the recording, or newer.
    public let pagesWithoutState: Int
  }

  /// An action that led to another state, or a page that shows something else.
  public struct Difference: Sendable, CustomStringConvertible {
    /// The number of its line, from 1.
    public let line: Int
    public let version: UInt64
    /// The action's name, or the URL and the region.
    public let subject: String
    /// The names of the windows that showed the page, as far as the recording has them.
    public let windows: [String]
    /// The expected and the actual result.
    public let reason: String
    /// The changes that the action makes now, one line for each part; or the lines of HTML that
    /// differ: those that were recorded (-), and those that the region has now (+).
    public let changes: [String]

    public var description: String {
      let windows = self.windows.map { "window \($0), " }.joined()
      return "line \(self.line), version \(self.version), \(windows)\(self.subject): \(self.reason)"
    }
  }

  /// Whether a recording can be replayed, checked before the replay starts.
  public enum Verdict: Hashable, Sendable {
    case fine
    /// The recorded initial state cannot be read and differs from the store's, so states cannot be
    /// compared before the first checkpoint that can be read. Refusals and pages can.
    case risky
    /// It cannot be replayed, because it has an action that this program does not know.
    case impossible(String)
  }

  /// - Throws: ``RecordingError`` if it is no recording.
  /// - Complexity: O(n), n bytes.
  public func verdict(_ url: URL) throws -> Verdict {
    self.verdict(of: try Recording<Action>(url, self.upcasters))
  }

  func verdict(of recording: Recording<Action>) -> Verdict {
    for number in recording.numbers {
      do {
        _ = try recording.line(number)
      } catch {
        return .impossible("\(error)")
      }
    }
    do {
      let states = try StateFold(self, recording)
      let isRecorded =
        recording.header.hasOtherDigests
        ? states.isRecorded : states.digest.text == recording.header.digest
      return isRecorded ? .fine : .risky
    } catch {
      return .impossible("\(error)")
    }
  }

  /// The visitor's description of the problem; `nil` if the recording is not a report.
  ///
  /// - Throws: ``RecordingError`` if it is no recording.
  public func report(_ url: URL) throws -> String? {
    try Recording<Action>(url, self.upcasters).header.report?.description
  }

  /// How many versions of pages continue from the version before, as in a running program, until all
  /// are rendered from scratch again. That takes longer, but also finds what a running program did not
  /// render again although it should have.
  private static var moveLimit: Int { 15 }

  /// - Parameter url: The recording. Anything after its last line end is ignored.
  /// - Throws: ``RecordingError`` if it is not a recording, or has an action that this program does
  ///   not know. A replay stops there, because it never skips an action.
  /// - Complexity: O(n), n bytes, besides the reducer and the pages.
  public func compare(_ url: URL) throws -> Comparison {
    let recording = try Recording<Action>(url, self.upcasters)
    var states = try StateFold(self, recording)
    let hasOtherDigests = recording.header.hasOtherDigests
    var comparesStates = hasOtherDigests == false && states.digest.text == recording.header.digest
    var places = RecordedPlaces()
    func successivePages() -> SuccessivePages? {
      self.windows.map { SuccessivePages($0, moveLimit: Self.moveLimit) }
    }
    // Pages of one version follow one another, and share many parts, also with the next version.
    var successive = successivePages()
    var past: (version: UInt64, pages: PastPages)?
    var (actions, pages) = (0, 0)
    var (actionsWithoutState, pagesWithoutContent, pagesWithoutState) = (0, 0, 0)
    func comparison(_ outcome: Outcome) -> Comparison {
      Comparison(
        outcome: outcome,
        hasOtherDigests: hasOtherDigests,
        actionsWithoutState: actionsWithoutState,
        pagesWithoutContent: pagesWithoutContent,
        pagesWithoutState: pagesWithoutState
      )
    }
    for number in recording.numbers {
      switch try recording.line(number) {
      case .action(let recorded):
        let old = states.newest
        let result = states.reduce(recorded)
        actions += 1
        if comparesStates == false { actionsWithoutState += 1 }
        let digest = comparesStates ? states.digest.text : recorded.digest
        if let reason = Self.reason(recorded, result, digest) {
          let changes = StateDifference(from: old, to: states.newest).changes
          return comparison(
            .differs(
              Difference(
                line: number,
                version: recorded.version,
                subject: ActionName(recorded.action).cases,
                windows: [],
                reason: reason,
                changes: changes.map(\.description)
              )))
        }
      case .visit, .piece: continue
      case .page(let page):
        places.add(page, line: number)
      case .checkpoint(let checkpoint):
        // From here on states can be compared, even if the store now has another initial state.
        guard hasOtherDigests ? states.isRecorded == false : comparesStates == false,
          let state: State = try? recording.state(at: number)
        else { continue }
        states.take(state, checkpoint)
        (successive, past) = (successivePages(), nil)
        comparesStates = hasOtherDigests == false && states.digest.text == checkpoint.digest
      }
      while let place = places.next(through: states.version) {
        guard let windows = self.windows else { continue }
        guard place.tags.isEmpty == false else {
          pagesWithoutContent += 1
          continue
        }
        guard let state = states.state(at: place.version) else {
          pagesWithoutState += 1
          continue
        }
        pages += 1
        if past?.version != place.version {
          let pages = successive?.move(to: state)
          past = pages.map { (place.version, $0) }
        }
        // Only a page that is rendered from scratch shows that the recorded one is different.
        if let past, Self.difference(of: place, in: past.pages, recording) != nil,
          let difference = Self.difference(of: place, in: windows.past(in: state), recording)
        {
          return comparison(.differs(difference))
        }
      }
    }
    if self.windows != nil { pagesWithoutState += places.waiting.count }
    return comparison(.same(actions: actions, pages: pages))
  }

  /// How a result differs from the recorded one; `nil` if they are equal.
  private static func reason(
    _ recorded: RecordedAction<Action>,
    _ result: Result<State, any Error>,
    _ digest: String
  ) -> String? {
    switch (result, recorded.refusal) {
    case (.success, let refusal?): "it was refused (\(refusal)) and is accepted now"
    case (.failure(let error), nil): "it was accepted and is refused now: \(error)"
    case (.failure(let error), let refusal?):
      "\(error)" == refusal
        ? nil : "it was refused (\(refusal)) and is refused for another reason now: \(error)"
    case (.success, nil):
      digest == recorded.digest ? nil : "it leads to a different state"
    }
  }

  /// The first region that differs from the recorded one; `nil` if there is none.
  private static func difference(
    of place: RecordedPlaces.Place,
    in past: PastPages,
    _ recording: Recording<Action>
  ) -> Difference? {
    let regions = past.regions(place.beginning.url, environment: place.beginning.environment)
    let url = place.beginning.url
    func difference(
      _ subject: String,
      _ reason: String,
      from old: String? = nil,
      to new: String = ""
    ) -> Difference {
      Difference(
        line: place.line, version: place.version, subject: subject,
        windows: Self.windows(at: place, in: recording), reason: reason,
        changes: [LineChange](from: (old ?? "").htmlLines, to: new.htmlLines)
          .withoutMiddles.map(\.description))
    }
    guard let regions else { return difference(url, "only the recording has the page") }
    for region in regions where place.tags[region.name] != region.tag.text {
      let tag = place.tags[region.name]
      let old = tag.flatMap { recording.html($0) }
      let reason =
        if tag == nil {
          "only this build has it, and the recording does not"
        } else if old == nil {
          "both sides have it, but with different content, of which the recording has only the tag"
        } else {
          "both sides have it, but with different content"
        }
      return difference(
        "\(url), region \(region.name)", reason, from: old, to: region.html)
    }
    let names = Set(regions.map(\.name))
    return place.tags.keys.filter { names.contains($0) == false }.min().map { name in
      difference(
        "\(url), region \(name)", "only the recording has it, and this build does not",
        from: place.tags[name].flatMap { recording.html($0) })
    }
  }
}

extension Replay {
  /// The names of the windows that showed a place; at most three.
  ///
  /// - Complexity: O(n), n bytes.
  private static func windows(
    at place: RecordedPlaces.Place,
    in recording: Recording<Action>
  ) -> [String] {
    var urls: [String: String] = [:]
    for number in recording.numbers {
      guard case .visit(let visit) = try? recording.line(number), let window = visit.window else {
        continue
      }
      // A window's visit is recorded after the page that it shows.
      let isEnough = number > place.line && urls.values.contains(place.beginning.url)
      if isEnough { break }
      urls[window] = visit.url
    }
    return Array(urls.filter { $0.value == place.beginning.url }.keys.sorted().prefix(3))
  }
}
