public import Foundation
public import ImmutableData
public import ImmutableRuntime
import ImmutableUI

/// Shows a recording on developer pages: its log, its states, and its pages after any action.
///
/// The pages are paused and read-only. Actions are reduced again, but no effect runs.
///
/// ```swift
/// let viewer = try RecordingViewer(url, replay, name: "recording.jsonl")
/// let windows = try WindowGroup(templates: templates) {
///   Provider(viewer.store) { … }
///   viewer.developer.provider
/// }
/// try await viewer.load(into: windows)
/// configuration.developer = viewer.developer.pages
/// ```
@MainActor public final class RecordingViewer<State: Sendable, Action: Codable & Sendable> {
  /// The products' store. It refuses everything but the recorded actions.
  public nonisolated let store: ImmutableData.Store<State, Action>
  public nonisolated let developer: Developer
  /// Whether this program can read everything. It is never impossible.
  public nonisolated let verdict: Replay<State, Action>.Verdict

  private let name: String
  private let recording: Recording<Action>
  /// The first line after the state that it starts from.
  private let start: Int

  /// - Parameters:
  ///   - url: The recording.
  ///   - replay: How actions are reduced.
  ///   - name: What the pages call it.
  /// - Throws: ``RecordingError`` if it is no recording, or one that this program cannot replay.
  /// - Complexity: O(n), n bytes.
  public init(_ url: URL, _ replay: Replay<State, Action>, name: String) throws {
    let recording = try Recording<Action>(url, replay.upcasters)
    let verdict = replay.verdict(of: recording)
    if case .impossible(let reason) = verdict { throw RecordingError("Impossible: \(reason)") }
    self.verdict = verdict
    self.name = name
    self.recording = recording
    let (state, version, start) = try Self.beginning(of: recording, replay, verdict)
    self.start = start
    self.store = ImmutableData.Store(
      initialState: state,
      version: version,
      sequencer: ReadOnlySequencer<Action>(),
      reducer: Reducer(replay.reduce)
    )
    self.developer = Developer(self.store)
  }

  /// The state to start from. If this program cannot read the recorded one, it is that of the first
  /// checkpoint that it can read; without one, its own.
  private static func beginning(
    of recording: Recording<Action>,
    _ replay: Replay<State, Action>,
    _ verdict: Replay<State, Action>.Verdict
  ) throws -> (State, version: UInt64, start: Int) {
    if verdict == .risky {
      for number in recording.numbers {
        guard case .checkpoint(let checkpoint) = try recording.line(number),
          let state: State = try? recording.state(at: number)
        else { continue }
        return (state, checkpoint.version, number + 1)
      }
    }
    let fold = try StateFold(replay, recording)
    return (fold.newest, fold.version, recording.numbers.lowerBound)
  }

  /// Fills the developer pages, which keep the newest actions and visits.
  ///
  /// - Parameter windows: The windows that have the store's pages and the developer's provider.
  /// - Throws: ``RecordingError`` if a line cannot be read.
  /// - Complexity: O(n), n bytes, besides the reducer.
  public func load(into windows: WindowGroup) async throws {
    await self.developer.prepare(windows)
    var details = try RecordedDetails(self.recording)
    var shown: [String: RecordedVisit] = [:]
    var loaded = LoadedRecording(name: self.name, isRisky: self.verdict == .risky)
    for number in self.recording.numbers[self.start...] {
      switch try self.recording.line(number) {
      case .action(let action):
        self.apply(action, &details)
        self.developer.loadBatch()
        loaded.add(action.time)
      case .visit(let visit):
        if let window = visit.window { shown[window] = visit }
        if let product = windows.product(of: visit.url) {
          self.developer.load(
            .visit(LoggedVisit(visit, product, details.environment(of: visit))))
        }
      case .page, .checkpoint, .piece: continue
      }
    }
    self.developer.load(loaded, shown.values.compactMap { details.window(of: $0, in: windows) })
  }

  private func apply(_ recorded: RecordedAction<Action>, _ details: inout RecordedDetails) {
    let origin = recorded.origin.flatMap { text in
      ActionOrigin(
        text: text,
        window: details.takePost(recorded.version, isRefused: recorded.refusal != nil)?.window)
    }
    self.developer.recordedTime = recorded.time
    // A refused action has the version of the one before it, and its error is recorded.
    let version = recorded.refusal == nil ? recorded.version : recorded.version + 1
    ActionOrigin.$current.withValue(origin) {
      try? self.store.apply(
        recorded.action, version: max(version, self.store.rootVersion + 1), from: nil)
    }
    self.developer.recordedTime = nil
  }
}

/// A store's sequencer that accepts nothing.
private struct ReadOnlySequencer<Action: Sendable>: ActionSequencer {
  func send(_ action: Action) throws { throw Refusal.isRecording }

  func post(_ action: Action, id: String) async throws -> UInt64 { throw Refusal.isRecording }

  func catchUp() async throws { throw Refusal.isRecording }

  func version(ofPost id: String) async throws -> UInt64? { nil }
}

/// What the lines of a recording say about one another.
private struct RecordedDetails {
  /// The posts of forms, by version, and whether they were refused; the last one first. A visitor can
  /// post any number that are refused at one version.
  private var posts: [UInt64: [Bool: [RecordedVisit]]] = [:]
  /// The newest places of pages, by URL. Visitors can share a place, or each have their own.
  private var places: [String: (number: Int, environment: WindowEnvironment)] = [:]

  init<Action>(_ recording: Recording<Action>) throws {
    for number in recording.numbers {
      switch try recording.line(number) {
      case .visit(let visit):
        if let isRefused = visit.isRefused {
          self.posts[visit.version, default: [:]][isRefused, default: []].append(visit)
        }
      case .page(let page):
        if let begins = page.begins {
          self.places[begins.url] = (page.place, begins.environment)
        }
      case .action, .checkpoint, .piece: continue
      }
    }
    self.posts = self.posts.mapValues { $0.mapValues { $0.reversed() } }
  }

  /// The post of an action. Actions take their posts in order.
  mutating func takePost(_ version: UInt64, isRefused: Bool) -> RecordedVisit? {
    self.posts[version]?[isRefused]?.popLast()
  }

  /// - Returns: In recordings of older releases, that of the newest place; GMT and the time of the
  ///   visit if no window has shown the page.
  func environment(of visit: RecordedVisit) -> WindowEnvironment {
    visit.shown?.environment ?? self.places[visit.url]?.environment
      ?? WindowEnvironment(timeZone: .gmt, date: visit.time)
  }

  /// A window, given its last visit.
  func window(of visit: RecordedVisit, in windows: WindowGroup) -> ShownWindow? {
    guard let product = windows.product(of: visit.url) else { return nil }
    return ShownWindow(
      id: visit.window.flatMap { Identifier($0) } ?? Identifier(),
      product: product,
      url: visit.url,
      place: self.places[visit.url]?.number ?? 0,
      bytes: 0,
      stream: Identifier(),
      environment: self.environment(of: visit)
    )
  }
}
