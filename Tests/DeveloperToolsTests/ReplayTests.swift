import Foundation
import ImmutableData
import Logging
import TestSupport
import Testing

@testable import DeveloperTools

@MainActor struct ReplayTests {
  struct Row: Identifiable, Hashable, Codable, Sendable {
    let id: Int
    let name: String
  }

  struct State: Hashable, Codable, Sendable {
    var table = Table<Row>()
    var count = 0
  }

  enum Action: Codable, Hashable, Sendable {
    case put(row: Row)
    case remove(id: Int)
    case count
  }

  struct Refused: Error {}

  @Sendable nonisolated static func reduce(state: State, action: Action) throws -> State {
    var state = state
    switch action {
    case .put(let row): state.table[row.id] = row
    case .remove(let id):
      guard state.table[id] != nil else { throw Refused() }
      state.table[id] = nil
    case .count: state.count += 1
    }
    return state
  }

  /// Records actions; some are refused.
  private func record(
    seed: UInt64,
    actions count: Int = 300,
    limit: Int = 1 << 20
  ) async throws -> URL {
    let url = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).jsonl")
    let store = ImmutableData.Store(initialState: State(), reducer: Self.reduce)
    let recorder = try Recorder(
      store, to: url, privacy: .raw, limit: limit, logger: Logger(label: "test"))
    var source = SeededGenerator(seed: seed)
    for number in 0..<count {
      let id = Int.random(in: 0..<20, using: &source)
      let action: Action =
        switch Int.random(in: 0..<3, using: &source) {
        case 0: .put(row: Row(id: id, name: "\u{2028}\n\(number)"))
        case 1: .remove(id: id)
        default: .count
        }
      try? store.dispatch(action: action)
    }
    await recorder.finish()
    return url
  }

  @Test func `a recording that begins after some actions begins with the state`() async throws {
    let url = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).jsonl")
    defer { try? FileManager.default.removeItem(at: url) }
    let store = ImmutableData.Store(initialState: State(), reducer: Self.reduce)
    for id in 1...3 { try store.dispatch(action: .put(row: Row(id: id, name: "before"))) }
    let recorder = try Recorder(store, to: url, privacy: .raw, logger: Logger(label: "test"))
    try store.dispatch(action: .remove(id: 2))
    try store.dispatch(action: .count)
    await recorder.finish()

    let replay = Replay(initialState: State(), reducer: Self.reduce)

    #expect(try replay.verdict(url) == .fine)
    guard case .same(actions: 2, pages: 0) = try replay.compare(url).outcome else {
      Issue.record("\(try replay.compare(url).outcome)")
      return
    }
    let reduceAnother: @Sendable (State, Action) throws -> State = { state, action in
      var state = try Self.reduce(state: state, action: action)
      state.table[1] = nil
      return state
    }
    guard case .differs = try self.replay(url, reduceAnother) else {
      Issue.record("nothing differs")
      return
    }
  }

  private func replay(
    _ url: URL,
    _ reduce: @escaping @Sendable (State, Action) throws -> State = Self.reduce
  ) throws -> Replay<State, Action>.Outcome {
    try Replay(initialState: State(), reducer: reduce).compare(url).outcome
  }

  @Test(arguments: [1, 2, UInt64.random(in: 0...UInt64.max)])
  func `a replay reaches the recorded states`(seed: UInt64) async throws {
    let url = try await self.record(seed: seed)
    defer { try? FileManager.default.removeItem(at: url) }

    guard case .same(actions: 300, pages: 0) = try self.replay(url) else {
      Issue.record("\(try self.replay(url)), seed \(seed)")
      return
    }
  }

  @Test func `a replay reports the first action that a changed reducer treats differently`()
    async throws
  {
    let url = try await self.record(seed: 3)
    defer { try? FileManager.default.removeItem(at: url) }

    let outcome = try self.replay(url) { state, action in
      var new = try Self.reduce(state: state, action: action)
      if new.count == 40 { new.count = 41 }
      return new
    }

    guard case .differs(let difference) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(difference.subject == "count")
    #expect(difference.changes == ["/count: 39 → 41"])
    let counts = try String(contentsOf: url, encoding: .utf8).split(separator: "\n")
      .filter { $0.contains("\"action\":{\"count\":") }
    #expect(counts[39].contains("\"version\":\(difference.version)}"))
  }

  @Test func `a refused action that now succeeds is a difference`() async throws {
    let url = try await self.record(seed: 4)
    defer { try? FileManager.default.removeItem(at: url) }

    let outcome = try self.replay(url) { state, action in
      (try? Self.reduce(state: state, action: action)) ?? state
    }

    guard case .differs(let difference) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(difference.subject == "remove")
    #expect(difference.reason.contains("Refused"))
  }

  @Test func `an action that is refused for another reason is a difference`() async throws {
    struct Forbidden: Error {}
    let url = try await self.record(seed: 4)
    defer { try? FileManager.default.removeItem(at: url) }

    let outcome = try self.replay(url) { state, action in
      do {
        return try Self.reduce(state: state, action: action)
      } catch {
        throw Forbidden()
      }
    }

    guard case .differs(let difference) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(
      difference.reason
        == "it was refused (Refused()) and is refused for another reason now: Forbidden()")
  }

  @Test func `a replay counts the actions whose states were not compared`() async throws {
    let url = try await self.record(seed: 8, actions: 60)
    defer { try? FileManager.default.removeItem(at: url) }
    let text = try String(contentsOf: url, encoding: .utf8)
    try text.replacing("\"count\":0", with: "\"number\":0", maxReplacements: 1)
      .write(to: url, atomically: true, encoding: .utf8)

    let comparison = try Replay(initialState: State(count: 5), reducer: Self.reduce).compare(url)

    #expect(comparison.actionsWithoutState == 60)
    #expect(
      "\(comparison)" == """
        After 60 actions only refusals were compared, because this program cannot read the state \
        before them.
        No states were compared.
        """)
  }

  @Test(arguments: [true, false])
  func `states are not compared with the digests of older programs`(isReadable: Bool) async throws {
    let url = try await self.record(seed: 9, actions: 200)
    defer { try? FileManager.default.removeItem(at: url) }
    let old = try String(contentsOf: url, encoding: .utf8)
      .replacing("\"format\":6", with: "\"format\":5")
      .replacing(/"digest":"[^"]{22}"/, with: "\"digest\":\"\(String(repeating: "A", count: 22))\"")
      .replacing("\"count\":0", with: isReadable ? "\"count\":0" : "\"number\":0")
    try Data(old.utf8).write(to: url)
    let replay = Replay(initialState: State(), reducer: Self.reduce)

    let comparison = try replay.compare(url)

    #expect(try replay.verdict(url) == (isReadable ? .fine : .risky))
    #expect(comparison.hasOtherDigests && comparison.actionsWithoutState == 200)
    #expect(
      "\(comparison)"
        == "States were not compared, because an older program made the recording, with other digests."
    )
  }

  /// What an older release would have recorded, in which *put* had another name.
  private func record(putAs name: String, form: Int) async throws -> URL {
    let url = try await self.record(seed: 7, actions: 60)
    let text = try String(contentsOf: url, encoding: .utf8)
    let old = text.replacing("\"put\":", with: "\"\(name)\":")
      .replacing("\"form\":0", with: "\"form\":\(form)")
    #expect(form == 2 || old.contains("\"put\":") == false)
    try Data(old.utf8).write(to: url)
    return url
  }

  @Test(arguments: [("keep", 0), ("store", 1), ("put", 2)] as [(String, Int)])
  func `recordings of older releases are read through later upcasters`(
    name: String, form: Int
  ) async throws {
    let url = try await self.record(putAs: name, form: form)
    defer { try? FileManager.default.removeItem(at: url) }
    let upcasters = [
      Upcaster(action: { $0.rename("keep", to: "store") }),
      Upcaster(action: { $0.rename("store", to: "put") }),
    ]
    func replay(_ upcasters: [Upcaster]) -> Replay<State, Action> {
      Replay(initialState: State(), reducer: Self.reduce, upcasters: upcasters)
    }

    #expect(try replay(upcasters).verdict(url) == .fine)
    guard case .same(actions: 60, pages: 0) = try replay(upcasters).compare(url).outcome else {
      Issue.record("\(try replay(upcasters).compare(url).outcome)")
      return
    }
    switch form {
    case 0:
      guard case .impossible(let reason) = try replay([]).verdict(url) else {
        Issue.record("an action that nobody knows")
        return
      }
      #expect(reason.contains("“keep” is no case of Action."))
      // Of two upcasters, the second is missing.
      guard case .impossible(let halfway) = try replay([upcasters[0]]).verdict(url) else {
        Issue.record("an action that nobody knows")
        return
      }
      #expect(halfway.hasSuffix("Upcasters were applied, from upcasters[0] on."))
    default:
      #expect { try replay(Array(upcasters.prefix(form - 1))).compare(url).outcome } throws: {
        "\($0)".contains("is of a newer release")
      }
    }
  }

  @Test func `a truncated file is read up to its last whole line`() async throws {
    let url = try await self.record(seed: 5, actions: 50)
    defer { try? FileManager.default.removeItem(at: url) }
    let whole = try Data(contentsOf: url)
    let lines = whole.filter { $0 == UInt8(ascii: "\n") }.count
    #expect(lines == 52)

    for length in stride(from: whole.count - 1, to: whole.count - 400, by: -7) {
      let cut = whole.prefix(length)
      try cut.write(to: url)
      let expected = cut.filter { $0 == UInt8(ascii: "\n") }.count - 2
      guard case .same(let actions, pages: 0) = try self.replay(url) else {
        Issue.record("it differs after \(length) bytes")
        return
      }
      #expect(actions == expected)
    }
  }

  @Test func `an unknown action stops a replay and is named`() async throws {
    let url = try await self.record(seed: 6, actions: 3)
    defer { try? FileManager.default.removeItem(at: url) }
    let lines = try String(contentsOf: url, encoding: .utf8).split(separator: "\n")
    let other = lines[3].replacing(/"action":\{"[a-z]+"/, with: "\"action\":{\"jump\"")
    try (lines[..<3] + [other]).map { $0 + "\n" }.joined()
      .write(to: url, atomically: true, encoding: .utf8)

    #expect { try self.replay(url) } throws: { error in
      "\(error)"
        == "Line 4 has no action of this program: action: “jump” is no case of Action. "
        + "If that has changed since the recording was made, add an Upcaster."
    }
    try "something else\n".write(to: url, atomically: true, encoding: .utf8)
    #expect(throws: RecordingError.self) { try self.replay(url) }
  }

  @Test func `an existing recording is not overwritten`() async throws {
    let url = try await self.record(seed: 7, actions: 1)
    defer { try? FileManager.default.removeItem(at: url) }
    let content = try Data(contentsOf: url)
    let store = ImmutableData.Store(initialState: State(), reducer: Self.reduce)
    let recorder = try Recorder(store, to: url, privacy: .raw, logger: Logger(label: "test"))
    defer { try? FileManager.default.removeItem(at: recorder.url) }
    await recorder.finish()

    #expect(recorder.url != url)
    #expect(try Data(contentsOf: url) == content)
    let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
  }

  @Test(arguments: [1, 2, UInt64.random(in: 0...UInt64.max)])
  func `an incremental digest equals the digest of the state`(seed: UInt64) {
    var source = SeededGenerator(seed: seed)
    var state = State()
    var digest = StateDigest(of: state)
    for number in 0..<300 {
      let old = state
      let id = Int.random(in: 0..<20, using: &source)
      switch Int.random(in: 0..<3, using: &source) {
      case 0: state.table[id] = Row(id: id, name: "\(number % 5)")
      case 1: state.table[id] = nil
      default: state.count = number % 7
      }
      digest.follow(from: old, to: state)
      #expect(digest == StateDigest(of: state), "seed \(seed), \(number)")
      #expect((digest == StateDigest(of: old)) == (state == old), "seed \(seed), \(number)")
    }
  }
}
