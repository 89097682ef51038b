import HTMLTemplates
import ImmutableData
import ImmutableUI
import Synchronization
import TestSupport
import Testing

@testable import ImmutableRuntime

private struct Notes: StoreState {
  typealias Action = NotesAction

  var removed = 0

  static func toast(for action: NotesAction, in state: Self) -> Toast<Self>? {
    guard case .remove(let text) = action else { return nil }
    return Toast("\(text) removed.", undo: .restore(text))
  }
}

private enum NotesAction: Hashable, Sendable {
  case remove(String)
  case restore(String)
}

private struct NotesPage: Root, Presenter {
  typealias State = Notes

  init(_ local: NoLocalState) {}

  static let template = Template<Self>(named: "Notes", [])
}

/// Posts to other processes that share the state.
@Suite(.timeLimit(.minutes(20))) @MainActor struct SharedToastsTests {
  /// Refuses all posts, and keeps them.
  @MainActor private final class Sequencer: ActionSequencer {
    struct Refused: Error {}

    let posted = Transcript<NotesAction>()
    /// Reduces what other processes have reduced before.
    var onCatchUp: () throws -> Void = {}

    func send(_ action: NotesAction) {}

    func post(_ action: NotesAction, id: String) async throws -> UInt64 {
      self.posted.append(action)
      throw Refused()
    }

    func catchUp() throws { try self.onCatchUp() }

    func version(ofPost id: String) async throws -> UInt64? { nil }
  }

  private let session = Identifier()
  private let sequencer = Sequencer()
  private let store: ImmutableData.Store<Notes, NotesAction>
  private let windows: WindowGroup

  init() throws {
    let store = ImmutableData.Store<Notes, NotesAction>(
      initialState: Notes(), version: 0, sequencer: self.sequencer,
      reducer: Reducer { state, _ in Notes(removed: state.removed + 1) })
    self.windows = try WindowGroup(templates: TemplateLibrary(sources: ["Notes": "<p></p>"])) {
      Provider(store) { Page(NotesPage.self, at: "/notes", title: "Notes") }
    }
    self.store = store
  }

  /// Runs the windows, and waits until they follow the store.
  private func run() async throws -> Task<Void, Never> {
    let running = Task { [windows] in await windows.run() }
    try self.store.apply(.restore("nothing"), version: 1, from: "other")
    while await self.windows.framedVersion(of: ObjectIdentifier(self.store)) != 1 {
      await letOthersGoOn()
    }
    return running
  }

  /// Reduces what the session has posted to another process.
  private func apply(_ number: UInt64, bytes: Int) throws {
    let post = SharedPost(path: "/notes", session: SharedToasts<Notes>.name(of: self.session))
    try SharedPost.$elsewhere.withValue((id: "\(number)", post: post)) {
      try ActionOrigin.$entry.withValue((bytes: bytes, age: .zero)) {
        try self.store.apply(.remove("Note \(number)"), version: number, from: "other")
      }
    }
  }

  private func undo(_ number: UInt64, as session: Identifier? = nil) async throws -> Refusal? {
    let fields = Query("\(FormField.form)=\(FormField.undo)&\(FormField.submission)=\(number)")
    return try await self.windows.submit(
      FormFields(fields), to: "/notes", session: session ?? self.session, window: nil
    ).refusal
  }

  @Test func `the newest posts to other processes can be undone, up to 2 MB`() async throws {
    let running = try await self.run()
    defer { running.cancel() }

    for number in 2...101 as ClosedRange<UInt64> { try self.apply(number, bytes: 100_000) }

    let sizes = await self.windows.allProducts[0].size.caches.filter { $0.name == "toasts" }
    #expect(sizes.map(\.bytes).allSatisfy { (1_800_000...2 << 20).contains($0) })
    #expect(try await self.undo(2)?.kind == .gone)
    #expect(try await self.undo(101, as: Identifier())?.kind == .gone)
    #expect(self.sequencer.posted.entries == [])
    _ = try await self.undo(101)
    #expect(self.sequencer.posted.entries == [.restore("Note 101")])
  }

  /// The window may come from there.
  @Test func `a post to another process can be undone before this one has reduced it`()
    async throws
  {
    let running = try await self.run()
    defer { running.cancel() }
    self.sequencer.onCatchUp = { try self.apply(2, bytes: 100) }

    _ = try await self.undo(2)

    #expect(self.sequencer.posted.entries == [.restore("Note 2")])
  }
}
