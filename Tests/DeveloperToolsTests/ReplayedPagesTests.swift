import Foundation
import HTMLTemplates
import ImmutableData
import ImmutableRuntime
import ImmutableUI
import Logging
import TestSupport
import Testing
import WindowTesting

@testable import DeveloperTools

private struct State: StoreState {
  var left = 0
  var right = 0
}

extension State {
  enum Action: Codable, Hashable, Sendable {
    case left
    case right
  }
}

@Sendable private func reduce(_ state: State, _ action: State.Action) -> State {
  var state = state
  switch action {
  case .left: state.left += 1
  case .right: state.right += 1
  }
  return state
}

/// How a build selects what is right.
private protocol Build: Hashable, Sendable {
  static func right(_ state: State) -> Int
}

private enum Recorded: Build {
  static func right(_ state: State) -> Int { state.right }
}

/// Its selector is wrong from the third on.
private enum Broken: Build {
  static func right(_ state: State) -> Int { min(state.right, 2) }
}

private struct Scales<B: Build>: Root, Presenter {
  typealias State = DeveloperToolsTests.State

  @ImmutableUI.Selector<ImmutableData.Store<State, State.Action>, Int>(
    label: "left", outputSelector: OutputSelector { $0.left }
  ) private var left

  init(_ local: NoLocalState) {}

  static var template: Template<Self> {
    Template(named: "Scales", [.text("left") { $0.left }, .region("right") { _ in Right<B>() }])
  }
}

private struct Right<B: Build>: Presenter, Hashable {
  @ImmutableUI.Selector<ImmutableData.Store<State, State.Action>, Int>(
    label: "right", outputSelector: OutputSelector(select: B.right)
  ) private var right

  static var template: Template<Self> { Template(named: "Right", [.text("right") { $0.right }]) }
}

@MainActor struct ReplayedPagesTests {
  private static let templates = [
    "Scales": "<p>{{left}}</p>{{right}}", "Right": "<p>{{right}}</p>",
  ]

  private func provider<B: Build>(_ build: B.Type) -> Provider {
    Provider(Store(initialState: State(), reducer: reduce)) {
      Page(Scales<B>.self, at: "/scales", title: "Scales")
    }
  }

  /// A window that opens after the first action, and is sent each of the others.
  private func record() async throws -> URL {
    let url = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).jsonl")
    let store = Store(initialState: State(), reducer: reduce)
    let recorder = try Recorder(store, to: url, privacy: .raw, logger: Logger(label: "test"))
    let app = try TestApp(templates: TemplateLibrary(sources: Self.templates)) {
      Provider(store) { Page(Scales<Recorded>.self, at: "/scales", title: "Scales") }
    }
    recorder.follow(app.windows)
    try store.dispatch(action: .right)
    let window = try await app.open("/scales")
    for action in [State.Action.left, .right, .right, .left] {
      try store.dispatch(action: action)
      try await app.frame()
    }
    try await window.expect("3")
    await recorder.finish()
    return url
  }

  @Test func `the lines of one frame have the version that it showed`() async throws {
    let url = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).jsonl")
    defer { try? FileManager.default.removeItem(at: url) }
    let store = Store(initialState: State(), reducer: reduce)
    let recorder = try Recorder(store, to: url, privacy: .raw, logger: Logger(label: "test"))
    let app = try TestApp(templates: TemplateLibrary(sources: Self.templates)) {
      Provider(store) {
        Page(Scales<Recorded>.self, at: "/scales", title: "Scales")
        Page(Scales<Recorded>.self, at: "/others", title: "Others")
      }
    }
    recorder.follow(app.windows)
    let windows = (try await app.open("/scales"), try await app.open("/others"))
    for actions in [[State.Action.left, .right], [], [.right, .right, .left], [.left]] {
      for action in actions { try store.dispatch(action: action) }
      try await app.frame()
    }
    await recorder.finish()

    let recording = try Recording<State.Action>(url, nil)
    let versions = try recording.numbers.compactMap { number in
      if case .page(let page) = try recording.line(number), page.begins == nil {
        page.version
      } else {
        UInt64?.none
      }
    }
    #expect(versions == [2, 2, 5, 5, 6, 6])
    withExtendedLifetime(windows) {}
  }

  private func replay<B: Build>(
    _ url: URL,
    _ build: B.Type = Recorded.self,
    templates: [String: String] = Self.templates
  ) throws -> Replay<State, State.Action>.Outcome {
    let provider = self.provider(build)
    let windows = try WindowGroup(templates: TemplateLibrary(sources: templates)) { provider }
    return try Replay(initialState: State(), reducer: reduce, windows: windows).compare(url).outcome
  }

  @Test func `a replay renders the recorded pages again`() async throws {
    let url = try await self.record()
    defer { try? FileManager.default.removeItem(at: url) }

    guard case .same(actions: 5, pages: 5) = try self.replay(url) else {
      Issue.record("\(try self.replay(url))")
      return
    }
  }

  @Test func `a replay reports the first page that a changed selector affects`() async throws {
    let url = try await self.record()
    defer { try? FileManager.default.removeItem(at: url) }

    guard case .differs(let difference) = try self.replay(url, Broken.self) else {
      Issue.record("nothing differs")
      return
    }
    #expect(difference.version == 4)
    #expect(difference.subject == "/scales, region right")
    #expect(difference.windows.count == 1)
    #expect(difference.reason == "both sides have it, but with different content")
    #expect(difference.changes == ["  <p>", "- 3", "+ 2", "  </p>"])
  }

  @Test func `a replay reports the first page that a changed template affects`() async throws {
    let url = try await self.record()
    defer { try? FileManager.default.removeItem(at: url) }
    var templates = Self.templates
    templates["Scales"] = "<b>{{left}}</b>{{right}}"

    guard case .differs(let difference) = try self.replay(url, templates: templates) else {
      Issue.record("nothing differs")
      return
    }
    #expect(difference.version == 1)
    #expect(difference.subject == "/scales, region root")
    #expect(
      difference.changes == [
        "- <p>", "+ <b>", "  0", "- </p>", "+ </b>", "  <div data-region=\"right\">", "  </div>",
      ])
  }

  @Test func `a replay shows the place of a region that only the recording has`() async throws {
    let url = try await self.record()
    defer { try? FileManager.default.removeItem(at: url) }
    var templates = Self.templates
    templates["Right"] = "<p>{{right}}</p>"
    templates["Scales"] = "<p>{{left}}</p>"

    guard case .differs(let difference) = try self.replay(url, templates: templates) else {
      Issue.record("nothing differs")
      return
    }
    #expect(difference.subject == "/scales, region root")
    #expect(
      difference.changes == ["  0", "  </p>", "- <div data-region=\"right\">", "- </div>"])
  }

  @Test func `a replay reports the outcome of each recorded line`() async throws {
    let url = try await self.record()
    defer { try? FileManager.default.removeItem(at: url) }
    let provider = self.provider(Recorded.self)
    let windows = try WindowGroup(templates: TemplateLibrary(sources: Self.templates)) { provider }
    var lines: [PlayedLine] = []

    try await Replay(initialState: State(), reducer: reduce, windows: windows).play(url) {
      lines.append(try JSONDecoder().decode(PlayedLine.self, from: $0))
    }

    let recorded = try String(contentsOf: url, encoding: .utf8).split(separator: "\n")
    // Visits and content make no difference.
    let numbers = recorded.indices.filter { index in
      ["\"visit\"", "\"html\""].contains { recorded[index].contains($0) } == false
    }
    #expect(lines.map(\.line) == numbers.map { $0 + 1 })
    let changed = lines.flatMap { line in line.regions.map { "\(line.version) \($0.name)" } }
    #expect(changed == ["1 right", "1 root", "2 root", "3 right", "4 right", "5 root"])
  }

  @Test func `a verdict says in advance whether a replay is possible`() async throws {
    let url = try await self.record()
    defer { try? FileManager.default.removeItem(at: url) }
    let replay = Replay<State, State.Action>(initialState: State(), reducer: reduce)
    #expect(try replay.verdict(url) == .fine)

    let other = Replay<State, State.Action>(initialState: State(left: 7), reducer: reduce)
    #expect(try other.verdict(url) == .risky)
    guard case .same(actions: 5, pages: 0) = try other.compare(url).outcome else {
      Issue.record("states were compared")
      return
    }

    let text = try String(contentsOf: url, encoding: .utf8)
    try text.replacing("\"right\":{}", with: "\"up\":{}").write(
      to: url, atomically: true, encoding: .utf8)
    guard case .impossible(let reason) = try replay.verdict(url) else {
      Issue.record("an action that nobody knows is no reason")
      return
    }
    #expect(reason.hasPrefix("Line 2 has no action of this program"))
  }
}
