import Foundation
import ImmutableData
import Logging
import Testing

@testable import DeveloperTools

@MainActor struct ReplayedEffectsTests {
  private typealias State = ReplayTests.State
  private typealias Action = ReplayTests.Action
  private typealias Effect = ImmutableData.Effect<State, Action>

  private typealias Folder = RecordingFilesTests.Folder

  private func record(in folder: borrowing Folder) async throws -> URL {
    let url = folder.first
    let store = ImmutableData.Store(initialState: State(), reducer: ReplayTests.reduce)
    let recorder = try Recorder(store, to: url, privacy: .raw, logger: Logger(label: "test"))
    for action in [
      .put(row: ReplayTests.Row(id: 1, name: "Dog")), .count, .remove(id: 1),
    ] as [Action] {
      try store.dispatch(action: action)
    }
    #expect(throws: (any Error).self) { try store.dispatch(action: .remove(id: 1)) }
    await recorder.finish()
    return url
  }

  /// A build that plays a recording.
  private func build(
    _ name: String,
    of recording: URL,
    in folder: borrowing Folder,
    effects: Replay<State, Action>.Effects?
  ) async throws -> BuildComparison.Build {
    let url = folder.url.appending(path: name)
    var lines = Data()
    try await Replay(initialState: State(), reducer: ReplayTests.reduce, effects: effects)
      .play(recording) { lines += $0 }
    try lines.write(to: url)
    return BuildComparison.Build(URL(filePath: "/bin/cat"), [url.path])
  }

  private static func effects(_ old: State, _ new: State, _ action: Action) -> [String] {
    let effects: [Effect] =
      switch action {
      case .put(let row): [Effect("save", of: row) { _, _ in }]
      case .remove(let id): [Effect("delete", of: id) { _, _ in }]
      case .count: []
      }
    return effects.flatMap(\.lines)
  }

  /// It also removes spaces, counts what it counted, and forgets to delete.
  private static func otherEffects(_ old: State, _ new: State, _ action: Action) -> [String] {
    let effects: [Effect] =
      switch action {
      case .put(let row): [Effect("save", of: ReplayTests.Row(id: row.id, name: "D")) { _, _ in }]
      case .remove: []
      case .count: [Effect("tell", of: (count: new.count, before: old.count)) { _, _ in }]
      }
    return effects.flatMap(\.lines)
  }

  @Test func `effects that only one build starts, or with other values, are differences`()
    async throws
  {
    let folder = try Folder()
    let recording = try await self.record(in: folder)
    let old = try await self.build("old", of: recording, in: folder, effects: Self.effects)
    let new = try await self.build("new", of: recording, in: folder, effects: Self.otherEffects)

    let outcome = try BuildComparison(old, new).run()

    #expect(outcome.count == 3)
    #expect(outcome.results.count == 0)
    #expect(
      outcome.effects.first.map(\.description) == [
        """
        line 3, version 1, put: the effects
          - save /name: Dog
          + save /name: D
        """,
        """
        line 4, version 2, count: the effects
          + tell
          + tell /count: 1
          + tell /before: 0
        """,
        """
        line 5, version 3, remove: the effects
          - delete
          - delete 1
        """,
      ])
    let page = DifferenceReport(outcome).html
    #expect(page.contains("<h2>Effects: 3</h2>"))
    #expect(page.contains("<del>- save /name: Dog</del>\n<ins>+ save /name: D</ins>"))
  }

  @Test func `many different pages do not hide a changed effect`() async throws {
    let folder = try Folder()
    let recording = try await self.record(in: folder)
    let old = try await self.build("old", of: recording, in: folder, effects: Self.effects)
    let new = try await self.build("new", of: recording, in: folder, effects: Self.otherEffects)

    let outcome = try BuildComparison(old, new).run(limit: 1)

    #expect(outcome.effects.first.map(\.subject) == ["put"])
    #expect(outcome.effects.count == 3)
  }

  @Test func `the same effects are no difference`() async throws {
    let folder = try Folder()
    let recording = try await self.record(in: folder)
    let old = try await self.build("old", of: recording, in: folder, effects: Self.effects)
    let new = try await self.build("new", of: recording, in: folder, effects: Self.effects)

    let outcome = try BuildComparison(old, new).run()

    #expect(outcome.count == 0)
    #expect(outcome.comparesEffects)
  }

  @Test func `the effects of a build that does not say them are not compared`() async throws {
    let folder = try Folder()
    let recording = try await self.record(in: folder)
    let old = try await self.build("old", of: recording, in: folder, effects: nil)
    let new = try await self.build("new", of: recording, in: folder, effects: Self.effects)

    let outcome = try BuildComparison(old, new).run()

    #expect(outcome.count == 0)
    #expect(outcome.comparesEffects == false)
  }

  @Test func `long values are told apart`() {
    func lines(_ last: Int) -> [String] {
      Effect("save", of: Array(1...99) + [last]) { _, _ in }.lines
    }

    #expect(lines(100).count == 52)
    #expect(lines(100) == lines(100))
    #expect(lines(100) != lines(101))
  }
}
