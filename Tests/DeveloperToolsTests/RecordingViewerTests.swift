import CounterData
import CounterUI
import Foundation
import HTMLTemplates
import ImmutableData
import ImmutableRuntime
import ImmutableUI
import Logging
import Testing
import WindowTesting

@testable import DeveloperTools

@MainActor struct RecordingViewerTests {
  private typealias Program = Replay<CounterState, CounterAction>

  private typealias File = RecordedTagsTests.File

  /// The developer pages of a recording.
  @MainActor private struct Viewing {
    let viewer: RecordingViewer<CounterState, CounterAction>
    let app: TestApp

    var state: DeveloperState { self.viewer.developer.store.snapshot().state }

    init(_ url: URL, from state: CounterState = CounterState(5)) async throws {
      let viewer = try RecordingViewer(
        url, Program(initialState: state, reducer: CounterReducer.reduceOrRefuse), name: "a.jsonl")
      self.viewer = viewer
      let (store, developer) = (viewer.store, viewer.developer)
      self.app = try TestApp(templates: .project) {
        Provider(store) { CounterUI.Content.page() }
        developer.provider
      }
      try await viewer.load(into: self.app.windows)
    }

    func past(_ entry: Int) async -> String? {
      let query = Query([
        QueryItem(name: "url", value: "/counter"), QueryItem(name: "at", value: "\(entry)"),
      ])
      return await self.viewer.developer.pages.page(query, WindowEnvironment())
        .map { String(decoding: $0.html, as: UTF8.self) }
    }
  }

  /// A window that shows the counter, and posts its form three times.
  private func record(to url: URL) async throws {
    let store = ImmutableData.Store(
      initialState: CounterState(5), reducer: CounterReducer.reduceOrRefuse)
    let recorder = try Recorder(store, to: url, privacy: .raw, logger: Logger(label: "test"))
    let app = try TestApp(templates: .project) {
      Provider(store) { CounterUI.Content.page() }
    }
    recorder.follow(app.windows)
    let window = try await app.open("/counter")
    for _ in 1...3 { try await window.submit("increment") }
    try await app.frame()
    await recorder.finish()
  }

  @Test func `the log, the states and the pages are those of the recording`() async throws {
    let file = File()
    try await self.record(to: file.url)

    let viewing = try await Viewing(file.url)

    let entries = Array(viewing.state.entries(of: nil)).reversed()
    #expect(entries.map(\.name) == Array(repeating: "didTapIncrementButton", count: 3))
    #expect(entries.map(\.dispatch.version) == [1, 2, 3])
    #expect(entries.compactMap { ($0.state as? CounterState)?.value } == [6, 7, 8])
    let origins = Set(entries.map(\.dispatch.origin?.text))
    #expect(origins == ["form \u{201C}increment\u{201D} at /counter"])
    #expect(viewing.state.visits.all.contains { $0.visit.event.isPosted })
    #expect(await viewing.past(2)?.contains("7") == true)
    #expect(viewing.state.windows.map(\.url) == ["/counter"])
    let loaded = try #require(viewing.state.loaded)
    #expect(loaded.name == "a.jsonl")
    #expect(loaded.actions == 3)
    #expect(loaded.span?.lowerBound == entries.first?.time)
  }

  @Test func `a long recording is read in batches`() async throws {
    let file = File()
    let store = ImmutableData.Store(
      initialState: CounterState(5), reducer: CounterReducer.reduceOrRefuse)
    let recorder = try Recorder(store, to: file.url, privacy: .raw, logger: Logger(label: "test"))
    for _ in 1...200 { try store.dispatch(action: .didTapIncrementButton) }
    await recorder.finish()

    let viewing = try await Viewing(file.url)

    // Besides the batches: what begins and ends it.
    #expect(viewing.viewer.developer.store.snapshot().version == 3 + 200 / 64 + 1)
    #expect(viewing.state.entries.count == 200)
  }

  @Test func `a recording opens paused and read-only`() async throws {
    let file = File()
    try await self.record(to: file.url)
    let viewing = try await Viewing(file.url)
    let store = viewing.viewer.developer.store

    #expect(viewing.state.isPaused)
    for action in [.onTapResumeButton, .onTapClearButton] as [DeveloperAction.UI] {
      #expect(throws: Refusal.self) { try store.dispatch(action: .ui(action)) }
    }
    #expect(throws: (any Error).self) {
      try viewing.viewer.store.dispatch(action: .didTapIncrementButton)
    }
    let window = try await viewing.app.open("/developer")
    #expect(window.text.contains("This is the recording a.jsonl"))
    #expect(window.text.contains("Fine:"))
    #expect(window.text.contains("Clear") == false)
  }

  @Test func `a recording with another initial state is risky, and is marked`() async throws {
    let file = File()
    try await self.record(to: file.url)
    let text = try String(contentsOf: file.url, encoding: .utf8)
    try text.replacing("\"checkpoint\":{\"value\":", with: "\"checkpoint\":{\"number\":")
      .write(to: file.url, atomically: true, encoding: .utf8)

    let viewing = try await Viewing(file.url, from: CounterState(100))

    #expect(viewing.viewer.verdict == .risky)
    let window = try await viewing.app.open("/developer")
    #expect(window.text.contains("Risky:"))
  }

  @Test func `a recording with an unknown action cannot be opened`() async throws {
    let file = File()
    try await self.record(to: file.url)
    let text = try String(contentsOf: file.url, encoding: .utf8)
    try text.replacing("didTapIncrementButton", with: "didJump")
      .write(to: file.url, atomically: true, encoding: .utf8)

    await #expect { try await Viewing(file.url) } throws: { error in
      "\(error)".hasPrefix("Impossible: Line ")
    }
  }

  @Test(
    arguments: [
      .form(name: "save", path: "/animals", window: "w"), .page(path: "/quakes"),
      .effect(name: "read again", version: 17), .effect(name: "read again", version: nil),
      .outside(name: "a change"), .elsewhere,
    ] as [ActionOrigin])
  func `origins are read as they were written`(origin: ActionOrigin) {
    #expect(ActionOrigin(text: origin.text, window: "w") == origin)
  }
}
