import Foundation
import ImmutableData
import Logging
import Synchronization
import Testing

@testable import DeveloperTools

/// Recordings of notes that people have entered.
@MainActor struct RecordingPrivacyTests {
  struct State: Codable, Redactable, Sendable {
    var notes: [String] = []

    func redacted(_ pseudonym: (String) -> String) -> Self {
      Self(notes: self.notes.map(pseudonym))
    }
  }

  enum Action: Codable, Redactable, Sendable {
    case add(String)
    case remove(String)

    func redacted(_ pseudonym: (String) -> String) -> Self {
      switch self {
      case .add(let note): .add(pseudonym(note))
      case .remove(let note): .remove(pseudonym(note))
      }
    }
  }

  struct Refused: Error {}

  @Sendable nonisolated static func reduce(state: State, action: Action) throws -> State {
    var state = state
    switch action {
    case .add(let note):
      guard note.isEmpty == false, state.notes.contains(note) == false else { throw Refused() }
      state.notes.append(note)
    case .remove(let note):
      guard let index = state.notes.firstIndex(of: note) else { throw Refused() }
      state.notes.remove(at: index)
    }
    return state
  }

  // Long words, so that no pseudonym and no digest has one by chance.
  private static let secret = "Confidential correspondence"
  private let folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID())")
  private var first: URL { self.folder.appending(path: "notes.jsonl") }

  /// The secret, a repetition and an empty note, which are refused, and many others.
  private func record(
    _ privacy: RecordingPrivacy<State, Action>,
    limit: Int = 1 << 20,
    others: Int = 0
  ) async throws {
    try FileManager.default.createDirectory(at: self.folder, withIntermediateDirectories: true)
    let store = ImmutableData.Store(initialState: State(), reducer: Self.reduce)
    let recorder = try Recorder(
      store, to: self.first, privacy: privacy, limit: limit, logger: Logger(label: "test"))
    let notes = [Self.secret, Self.secret, ""] + (0..<others).map { "\(Self.secret) number \($0)" }
    for note in notes { try? store.dispatch(action: .add(note)) }
    for note in notes.dropFirst(4) { try? store.dispatch(action: .remove(note)) }
    await recorder.finish()
  }

  private var files: [URL] {
    get throws {
      try FileManager.default.contentsOfDirectory(at: self.folder, includingPropertiesForKeys: nil)
    }
  }

  private func replay(_ url: URL) throws -> Replay<State, Action>.Outcome {
    try Replay(initialState: State(), reducer: Self.reduce).compare(url).outcome
  }

  @Test func `pseudonyms keep text out of the file, and a replay has the same states`()
    async throws
  {
    defer { try? FileManager.default.removeItem(at: self.folder) }
    try await self.record(.pseudonyms(Self.reduce), others: 200)

    let text = try String(contentsOf: self.first, encoding: .utf8)

    for word in Self.secret.split(separator: " ") { #expect(text.contains(word) == false) }
    #expect(text.matches(of: /"refusal":"Refused/).count == 2)
    #expect(text.contains("\"checkpoint\":{\"notes\":[\""))
    guard case .same(actions: 402, pages: 0) = try self.replay(self.first) else {
      Issue.record("\(try self.replay(self.first))")
      return
    }
  }

  private struct Count: Codable, Impersonal, Sendable { var value = 0 }
  private enum Press: Codable, Impersonal, Sendable { case once }

  @Test func `a state without anything personal is not reduced again`() async throws {
    defer { try? FileManager.default.removeItem(at: self.folder) }
    try FileManager.default.createDirectory(at: self.folder, withIntermediateDirectories: true)
    let reduce: @Sendable (Count, Press) throws -> Count = { state, _ in
      guard state.value < 2 else { throw Refused() }
      return Count(value: state.value + 1)
    }
    let store = ImmutableData.Store(initialState: Count(), reducer: reduce)
    let reductions = Mutex(0)
    let privacy = RecordingPrivacy<Count, Press>.pseudonyms { state, press in
      reductions.withLock { $0 += 1 }
      return try reduce(state, press)
    }
    let recorder = try Recorder(
      store, to: self.first, privacy: privacy, logger: Logger(label: "test"))
    for _ in 1...3 { try? store.dispatch(action: .once) }
    await recorder.finish()

    #expect(reductions.withLock { $0 } == 0)
    let replay = try Replay(initialState: Count(), reducer: reduce).compare(self.first)
    guard case .same(actions: 3, pages: 0) = replay.outcome else {
      Issue.record("\(replay.outcome)")
      return
    }
  }

  @Test func `pseudonyms also replace the text of a state to which no action has led`()
    async throws
  {
    defer { try? FileManager.default.removeItem(at: self.folder) }
    try FileManager.default.createDirectory(at: self.folder, withIntermediateDirectories: true)
    let store = ImmutableData.Store(initialState: State(), reducer: Self.reduce)
    let recorder = try Recorder(
      store, to: self.first, privacy: .pseudonyms(Self.reduce), logger: Logger(label: "test"))
    store.skip(to: State(notes: [Self.secret]), version: 9)
    try store.dispatch(action: .remove(Self.secret))
    await recorder.finish()

    for file in try self.files {
      #expect(try String(contentsOf: file, encoding: .utf8).contains(Self.secret) == false)
    }
    let second = self.folder.appending(path: "notes.2.jsonl")
    guard case .same(actions: 1, pages: 0) = try self.replay(second) else {
      Issue.record("\(try self.replay(second))")
      return
    }
  }

  @Test func `each file of a sealed recording opens with the key on its own`()
    async throws
  {
    defer { try? FileManager.default.removeItem(at: self.folder) }
    let key = RecordingKey()
    try await self.record(.sealed(for: key.publicKey), limit: 200_000, others: 300)

    #expect(try self.files.count > 2)
    for file in try self.files {
      let sealed = try String(contentsOf: file, encoding: .utf8)
      #expect(sealed.contains("\"action\"") == false && sealed.contains(Self.secret) == false)
      let opened = try OpenedRecording(file, with: key)
      let text = try String(contentsOf: opened.url, encoding: .utf8)
      #expect(text.contains(Self.secret))
      guard case .same = try self.replay(opened.url) else {
        Issue.record("\(file): \(try self.replay(opened.url))")
        return
      }
    }
  }

  @Test func `a truncated sealed file opens up to its last whole line`() async throws {
    defer { try? FileManager.default.removeItem(at: self.folder) }
    let key = RecordingKey()
    try await self.record(.sealed(for: key.publicKey))
    let data = try Data(contentsOf: self.first)
    try data.dropLast(10).write(to: self.first)

    let opened = try OpenedRecording(self.first, with: key)

    guard case .same(actions: 2, pages: 0) = try self.replay(opened.url) else {
      Issue.record("\(try self.replay(opened.url))")
      return
    }
  }

  @Test func `errors name a wrong key, a changed line and a missing key`() async throws {
    defer { try? FileManager.default.removeItem(at: self.folder) }
    let key = RecordingKey()
    try await self.record(.sealed(for: key.publicKey))

    #expect { try OpenedRecording(self.first, with: RecordingKey()) } throws: {
      "\($0)".contains("was sealed for another key")
    }
    #expect { try self.replay(self.first) } throws: { "\($0)".contains("is sealed. Give --key") }
    var lines = try String(contentsOf: self.first, encoding: .utf8).split(separator: "\n")
    lines.swapAt(1, 2)
    try (lines.joined(separator: "\n") + "\n").write(
      to: self.first, atomically: true, encoding: .utf8)
    #expect { try OpenedRecording(self.first, with: key) } throws: {
      "\($0)".contains("was changed since")
    }
    try Data("{\"format\":4,\"digest\":\"\"}\n".utf8).write(to: self.first)
    #expect { try OpenedRecording(self.first, with: key) } throws: {
      "\($0)".contains("is not sealed")
    }
  }

  @Test func `keys survive a round trip, and only the owner can read the private key`()
    async throws
  {
    defer { try? FileManager.default.removeItem(at: self.folder) }
    let url = self.folder.appending(path: "key")
    try FileManager.default.createDirectory(at: self.folder, withIntermediateDirectories: true)
    let publicURL = try RecordingKey().write(to: url)
    let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)

    try await self.record(.sealed(for: RecordingKey.Public(publicURL)))

    let opened = try OpenedRecording(self.first, with: RecordingKey(url))
    guard case .same = try self.replay(opened.url) else {
      Issue.record("it is another recording")
      return
    }
    #expect(throws: RecordingError.self) { try RecordingKey().write(to: url) }
    #expect(throws: RecordingError.self) { try RecordingKey(self.first) }
  }
}
