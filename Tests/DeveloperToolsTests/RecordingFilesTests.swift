import Foundation
import ImmutableData
import ImmutableUI
import Logging
import Synchronization
import TestSupport
import Testing

@testable import DeveloperTools

/// Recordings of several files.
@MainActor struct RecordingFilesTests {
  struct State: Codable, Sendable {
    var table = Table<ReplayTests.Row>()
    var count = 0
  }

  /// The same, but it cannot be written.
  struct OtherState: Sendable {
    var count = 0
  }

  /// It is copied as a whole.
  struct LargeState: Sendable {
    var bytes: [UInt8] = []
  }

  enum Action: Codable, Sendable {
    case put(row: ReplayTests.Row)
    case count
  }

  @Sendable nonisolated static func reduce(state: State, action: Action) -> State {
    var state = state
    switch action {
    case .put(let row): state.table[row.id] = row
    case .count: state.count += 1
    }
    return state
  }

  /// A folder with a recording in it.
  struct Folder: ~Copyable {
    let url = FileManager.default.temporaryDirectory.appending(path: "\(UUID())")

    init() throws {
      try FileManager.default.createDirectory(at: self.url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: self.url) }

    var first: URL { self.url.appending(path: "actions.jsonl") }

    /// The files by their numbers.
    var files: [(number: Int, url: URL)] {
      get throws {
        try FileManager.default.contentsOfDirectory(atPath: self.url.path).map { name in
          let parts = name.split(separator: ".")
          return (parts.count > 2 ? Int(parts[1]) ?? 0 : 1, self.url.appending(path: name))
        }.sorted { $0.number < $1.number }
      }
    }

    var size: Int {
      get throws { try self.files.reduce(0) { $0 + (try Data(contentsOf: $1.url)).count } }
    }
  }

  /// Records actions, and waits after some until they are written.
  ///
  /// - Returns: What was logged.
  private func record(
    _ count: Int,
    in folder: borrowing Folder,
    limit: Int,
    stopsWhenFull: Bool = false
  ) async throws -> [String] {
    let store = ImmutableData.Store(initialState: State(), reducer: Self.reduce)
    let log = Log()
    let recorder = try Recorder(
      store, to: folder.first, privacy: .raw, limit: limit, stopsWhenFull: stopsWhenFull,
      logger: log.logger)
    var source = SeededGenerator(seed: 1)
    for number in 0..<count {
      let row = ReplayTests.Row(id: Int.random(in: 0..<20, using: &source), name: "\(number)")
      try store.dispatch(action: number.isMultiple(of: 3) ? .count : .put(row: row))
    }
    await recorder.finish()
    return log.messages
  }

  private func replay(
    _ url: URL,
    from state: State = State(),
    _ reduce: @escaping @Sendable (State, Action) throws -> State = Self.reduce
  ) throws -> Replay<State, Action>.Outcome {
    try Replay(initialState: state, reducer: reduce).compare(url).outcome
  }

  @Test func `recording rotates files, and each can be replayed on its own`() async throws {
    let folder = try Folder()
    #expect(try await self.record(2_000, in: folder, limit: 1 << 20) == [])
    let files = try folder.files

    #expect(files.map(\.number) == Array(1...files.count))
    #expect(files.count > 1)
    var total = 0
    for (_, url) in files {
      let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
      #expect(attributes[.posixPermissions] as? Int == 0o600)
      #expect(try Replay(initialState: State(), reducer: Self.reduce).verdict(url) == .fine)
      guard case .same(let actions, pages: 0) = try self.replay(url) else {
        Issue.record("\(url): \(try self.replay(url))")
        return
      }
      total += actions
    }
    #expect(total == 2_000)
  }

  @Test func `a recording continues in a new file with a state to which no action has led`()
    async throws
  {
    let folder = try Folder()
    let store = ImmutableData.Store(initialState: State(), reducer: Self.reduce)
    let log = Log()
    let recorder = try Recorder(store, to: folder.first, privacy: .raw, logger: log.logger)
    try store.dispatch(action: .count)
    store.skip(to: State(count: 40), version: 9)
    try store.dispatch(action: .count)
    await recorder.finish()

    let outcomes = try folder.files.map { "\(try self.replay($0.url))" }
    #expect(outcomes == Array(repeating: "same(actions: 1, pages: 0)", count: 2))
    #expect(log.messages == [])
  }

  @Test func `an older release's state is read through later upcasters`()
    async throws
  {
    let folder = try Folder()
    #expect(try await self.record(500, in: folder, limit: 200_000) == [])
    let url = try #require(try folder.files.last?.url)
    let text = try String(contentsOf: url, encoding: .utf8)
    // A release ago the count had no name of its own.
    let old = text.replacing(#""count":"#, with: #""number":"#)
      .replacing(#""number":{}"#, with: #""count":{}"#)
    #expect(old.contains(#"{"checkpoint":{"number":"#))
    try Data(old.utf8).write(to: url)
    func replay(_ upcasters: [Upcaster]) -> Replay<State, Action> {
      Replay(initialState: State(), reducer: Self.reduce, upcasters: upcasters)
    }

    #expect(
      try replay([Upcaster(state: { $0.rename("number", to: "count") })]).verdict(url) == .fine)
    guard case .impossible(let reason) = try replay([]).verdict(url) else {
      Issue.record("a state that nobody knows")
      return
    }
    #expect(reason.contains("no state of this program"))
  }

  @Test func `the oldest files are removed to stay below the total limit`() async throws {
    let folder = try Folder()
    #expect(try await self.record(3_000, in: folder, limit: 200_000) == [])
    let files = try folder.files

    #expect(try folder.size <= 200_000)
    #expect(try folder.size > 100_000)
    #expect(files.count > 3)
    let first = try #require(files.first?.number)
    #expect(first > 1)
    #expect(files.map(\.number) == Array(first..<first + files.count))
    for (_, url) in files {
      guard case .same = try self.replay(url) else {
        Issue.record("\(url)")
        return
      }
    }
  }

  @Test func `as told, recording stops at the limit, and the oldest files stay`() async throws {
    let folder = try Folder()
    let log = try await self.record(3_000, in: folder, limit: 200_000, stopsWhenFull: true)
    let files = try folder.files

    #expect(log == ["Recording has stopped"])
    #expect(try folder.size <= 200_000)
    #expect(try folder.size > 150_000)
    #expect(files.count > 3)
    #expect(files.map(\.number) == Array(1...files.count))
    for (_, url) in files {
      guard case .same = try self.replay(url) else {
        Issue.record("\(url)")
        return
      }
    }
  }

  @Test func `a state of more than half the limit is recorded as long as there is room`()
    async throws
  {
    let folder = try Folder()
    var state = State()
    state.table[0] = ReplayTests.Row(id: 0, name: String(repeating: "x", count: 60_000))
    let store = ImmutableData.Store(initialState: state, reducer: Self.reduce)
    let log = Log()
    let recorder = try Recorder(
      store, to: folder.first, privacy: .raw, limit: 100_000, logger: log.logger)
    for number in 0..<3_000 {
      let row = ReplayTests.Row(id: number % 20 + 1, name: "\(number)")
      try store.dispatch(action: .put(row: row))
    }
    await recorder.finish()

    #expect(log.messages == [])
    #expect(try folder.size <= 100_000)
    let newest = try #require(try folder.files.last)
    #expect(newest.number > 3)
    guard case .same(let actions, pages: 0) = try self.replay(newest.url) else {
      Issue.record("\(try self.replay(newest.url))")
      return
    }
    #expect(actions > 0)
  }

  @Test func `a truncated file is read up to its last whole line`() async throws {
    let folder = try Folder()
    _ = try await self.record(1_000, in: folder, limit: 1 << 20)
    let url = try #require(try folder.files.last?.url)
    let whole = try Data(contentsOf: url)
    let head = whole.prefix { $0 != UInt8(ascii: "\n") }.count + 1

    for length in Array(head..<head + 300) + stride(from: head + 300, to: whole.count, by: 997) {
      try whole.prefix(length).write(to: url)
      guard case .same = try self.replay(url) else {
        Issue.record("it differs after \(length) bytes")
        return
      }
    }
    try whole.prefix(head - 1).write(to: url)
    #expect(throws: RecordingError.self) { try self.replay(url) }
  }

  @Test func `checkpoints begin after 64 actions and stay a small share of the file`()
    async throws
  {
    let folder = try Folder()
    _ = try await self.record(3_000, in: folder, limit: 64 << 20)
    let lines = try String(contentsOf: folder.first, encoding: .utf8).split(separator: "\n")
    let checkpoints = lines.enumerated().filter { $0.element.hasPrefix("{\"checkpoint\"") }
    let bytes = checkpoints.reduce(0) { $0 + $1.element.utf8.count }

    #expect(checkpoints.prefix(2).map(\.offset) == [1, 66])
    #expect(checkpoints.count > 10)
    #expect(bytes < lines.reduce(0) { $0 + $1.utf8.count } / 4)
  }

  @Test func `a replay begins with the recorded first state`() async throws {
    let folder = try Folder()
    _ = try await self.record(400, in: folder, limit: 1 << 20)
    let other = State(count: 5)

    guard case .same(actions: 400, pages: 0) = try self.replay(folder.first, from: other) else {
      Issue.record("\(try self.replay(folder.first, from: other))")
      return
    }
    let outcome = try self.replay(folder.first, from: other) { state, action in
      var state = Self.reduce(state: state, action: action)
      if state.count == 10 { state.count += 1 }
      return state
    }

    guard case .differs(let difference) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(difference.changes == ["/count: 9 → 11"])
  }

  @Test func `without its first state, a recording is compared from the next checkpoint on`()
    async throws
  {
    let folder = try Folder()
    _ = try await self.record(400, in: folder, limit: 1 << 20)
    let text = try String(contentsOf: folder.first, encoding: .utf8)
    try text.replacing("\"count\":0", with: "\"number\":0", maxReplacements: 1)
      .write(to: folder.first, atomically: true, encoding: .utf8)
    func replay(count: Int) -> Replay<State, Action> {
      Replay(initialState: State(count: count), reducer: Self.reduce)
    }

    #expect(try replay(count: 0).verdict(folder.first) == .fine)
    #expect(try replay(count: 5).verdict(folder.first) == .risky)
    guard case .same(actions: 400, pages: 0) = try replay(count: 5).compare(folder.first).outcome
    else {
      Issue.record("\(try replay(count: 5).compare(folder.first).outcome)")
      return
    }
    let compared = 400 - (try replay(count: 5).compare(folder.first)).actionsWithoutState
    #expect(compared > 0 && compared < 400)
    #expect(try replay(count: 0).compare(folder.first).actionsWithoutState == 0)
    let outcome = try self.replay(folder.first, from: State(count: 5)) { state, action in
      var state = Self.reduce(state: state, action: action)
      if state.count == 100 { state.count += 1 }
      return state
    }
    guard case .differs(let difference) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(difference.changes == ["/count: 99 → 101"])
  }

  @Test func `an undecodable checkpoint makes a replay impossible`()
    async throws
  {
    let folder = try Folder()
    _ = try await self.record(2_000, in: folder, limit: 1 << 20)
    let url = try #require(try folder.files.last?.url)
    let text = try String(contentsOf: url, encoding: .utf8)
    try text.replacing("\"count\":", with: "\"number\":", maxReplacements: 1)
      .write(to: url, atomically: true, encoding: .utf8)

    guard
      case .impossible(let reason) = try Replay(initialState: State(), reducer: Self.reduce)
        .verdict(url)
    else {
      Issue.record("it is not impossible")
      return
    }
    #expect(
      reason.hasPrefix("Line 2 has no state of this program: checkpoint: There is no “count”"))
  }

  @Test func `recording only pages rotates files too`() throws {
    let folder = try Folder()
    let files = try RecordingFiles(folder.first, limit: 100_000)
    var writer = try RecordingWriter<State, Action>(
      files, from: State(), version: 0, .raw, form: 0)
    let beginning = RecordedPage.Beginning("/", WindowEnvironment(timeZone: .gmt))

    for place in 1...2_000 {
      try writer.write(
        RecordedPage(place: place, version: 0, begins: beginning, tags: ["root": "a"]))
      if place > 10 { try writer.write(RecordedPage(place: place - 10, version: 0, tags: nil)) }
    }

    #expect(try folder.files.count > 3)
    #expect(try folder.size <= 100_000)
    for (_, url) in try folder.files {
      guard case .same(actions: 0, pages: 0) = try self.replay(url) else {
        Issue.record("\(url)")
        return
      }
      // It begins with what is shown, which is ten or eleven pages, and not with all that were.
      let lines = try String(contentsOf: url, encoding: .utf8).split(separator: "\n").dropFirst(2)
      #expect((10...12).contains(lines.prefix { $0.contains("\"tags\"") }.count))
    }
  }

  @Test func `recording goes on after somebody has moved its oldest file`() throws {
    let folder = try Folder()
    var files = try RecordingFiles(folder.first, limit: 1_000)
    try files.start(with: Data(count: 400))
    try files.begin(with: Data(count: 400))
    try FileManager.default.removeItem(at: folder.first)

    try files.begin(with: Data(count: 400))

    #expect(try folder.files.map(\.number) == [2, 3])
  }

  @Test(arguments: ["actions.7.jsonl", "actions.7.jsonl.new"])
  func `files of another recording are not mixed in`(name: String) async throws {
    let folder = try Folder()
    try Data("precious".utf8).write(to: folder.url.appending(path: name))
    let store = ImmutableData.Store(initialState: State(), reducer: Self.reduce)

    #expect {
      try Recorder(store, to: folder.first, privacy: .raw, logger: Logger(label: "test"))
    } throws: { error in
      "\(error)".hasSuffix("\(name) already exists. Choose another name, or remove it.")
    }
    #expect(try folder.files.map(\.number) == [7])
  }

  @Test(arguments: [
    "{\"a\":1}", "{\"a\":1", "{\"a", "{\"digest\":1", "{\"key\":\"secret\"}", "[{\"digest\":\"",
    "{\"digest\":\"\(String(repeating: "x", count: 300))", "{\"digest\":\"\"}\n",
  ])
  func `a file that only looks like a recording is left alone`(text: String) throws {
    let folder = try Folder()
    try Data(text.utf8).write(to: folder.first)

    #expect(throws: RecordingError.self) { try RecordingFiles(folder.first, limit: 1_000) }
    #expect(try folder.files.map(\.number) == [1])
    #expect(try Data(contentsOf: folder.first) == Data(text.utf8))
  }

  @Test func `any beginning of a header is a recording that was cut off`() throws {
    let seal = try RecordingSeal(for: RecordingKey().publicKey)
    let plain = RecordingHeader(
      format: .max, digest: StateDigest(of: State()).text, form: .max)
    for header in [try seal.header, try RecordingFormat.encode(plain)] {
      for length in 0..<header.count {
        let folder = try Folder()
        try header.prefix(length).write(to: folder.first)
        #expect(try RecordingFiles(folder.first, limit: 1_000).newest != folder.first)
      }
    }
  }

  @Test func `a file with a number that no program reaches is not one of the recording`() throws {
    let folder = try Folder()
    let other = folder.url.appending(path: "actions.\(Int.max).jsonl")
    let digest = StateDigest(of: State()).text
    let header = RecordingHeader(format: RecordingFormat.number, digest: digest)
    try RecordingFormat.encode(header).write(to: other)

    #expect(try RecordingFiles(folder.first, limit: 1_000).newest == folder.first)
  }

  /// Opening a pipe waits for somebody to write to it, and nobody may ever remove a device.
  @Test func `neither a device nor a pipe is a recording`() throws {
    for make in [
      { try FileManager.default.createSymbolicLink(atPath: $0, withDestinationPath: "/dev/null") },
      { #expect(mkfifo($0, 0o600) == 0) },
    ] as [(String) throws -> Void] {
      let folder = try Folder()
      try make(folder.first.path)

      #expect(throws: RecordingError.self) { try RecordingFiles(folder.first, limit: 1_000) }
      #expect(try folder.files.map(\.number) == [1])
    }
  }

  @Test func `a program that starts again continues in the next file, with one limit for all`()
    async throws
  {
    let folder = try Folder()
    for start in 1...3 {
      #expect(try await self.record(50, in: folder, limit: 80_000) == [])
      #expect(try folder.files.map(\.number) == Array(1...start))
    }
    // As after a kill before anything was written, within the first line, and within a new file.
    try Data().write(to: folder.url.appending(path: "actions.4.jsonl"))
    let header = try Data(contentsOf: folder.first).prefix { $0 != UInt8(ascii: "\n") }
    try header.prefix(5).write(to: folder.url.appending(path: "actions.5.jsonl"))
    try header.dropLast().write(to: folder.url.appending(path: "actions.6.jsonl.new"))
    for _ in 0..<20 {
      #expect(try await self.record(50, in: folder, limit: 80_000) == [])
      #expect(try folder.size <= 80_000)
    }

    let files = try folder.files
    #expect(files.last?.number == 26)
    #expect(files.map(\.number) == Array(27 - files.count...26))
    #expect(files.count < 20)
    for (_, url) in files {
      guard case .same(actions: 50, pages: 0) = try self.replay(url) else {
        Issue.record("\(url)")
        return
      }
    }
  }

  /// Processes that are being started have the open files of their parent for a moment.
  @Test func `a recording that has ended can be continued while another process has its file`()
    throws
  {
    let folder = try Folder()
    var copies: [CInt] = []
    defer { for copy in copies { close(copy) } }
    for _ in 1...2 {
      let files = try RecordingFiles(folder.first, limit: 1 << 20)
      // As it is in the other process.
      copies += try withExtendedLifetime(files) { try openFiles(at: files.newest).map { dup($0) } }
    }

    #expect(copies.count == 2)
    #expect(throws: Never.self) { try RecordingFiles(folder.first, limit: 1 << 20) }
  }

  @Test func `a program that starts again and again leaves few files`() throws {
    let folder = try Folder()
    for _ in 0..<300 {
      var files = try RecordingFiles(folder.first, limit: 1 << 20)
      try files.start(with: Data("{\"digest\":\"\",\"format\":6}\n".utf8))
    }

    let files = try folder.files
    #expect(files.count == 256)
    #expect(files.last?.number == 300)
  }

  @Test func `two files in one are refused with a message that says so`() async throws {
    let folder = try Folder()
    for _ in 0..<2 { _ = try await self.record(3, in: folder, limit: 100_000) }
    let both = try folder.files.reduce(into: Data()) { $0 += try Data(contentsOf: $1.url) }
    let url = folder.url.appending(path: "both.jsonl")
    try both.write(to: url)

    let verdict = try Replay(initialState: State(), reducer: Self.reduce).verdict(url)

    #expect(
      verdict
        == .impossible("Line 6 begins another recording. Replay each file on its own."))
  }

  @Test func `a full recording stays as it is when the program starts again`() async throws {
    let folder = try Folder()
    _ = try await self.record(3_000, in: folder, limit: 100_000, stopsWhenFull: true)
    let names = try folder.files.map(\.url.lastPathComponent)

    for _ in 0..<3 {
      let log = try await self.record(1_000, in: folder, limit: 100_000, stopsWhenFull: true)
      #expect(log == ["Recording has stopped"])
    }

    #expect(try folder.files.map(\.url.lastPathComponent).starts(with: names))
    #expect(try folder.size <= 100_000)
    // Small files may have filled the last room.
    #expect(try folder.files.allSatisfy { try Data(contentsOf: $0.url).isEmpty == false })
  }

  @Test func `two programs do not write one recording`() throws {
    let folder = try Folder()
    var files = try RecordingFiles(folder.first, limit: 100_000)
    try files.start(with: Data("{\"digest\":\"\",\"format\":6}\n".utf8))
    func error() -> String {
      do {
        _ = try RecordingFiles(folder.first, limit: 100_000)
        return ""
      } catch {
        return "\(error)"
      }
    }

    #expect(
      error().hasSuffix("actions.jsonl is being written by another process. Choose another name."))
    try files.begin(with: Data("{\"digest\":\"\",\"format\":6}\n".utf8))
    #expect(
      error().hasSuffix("actions.2.jsonl is being written by another process. Choose another name.")
    )
    #expect(try folder.files.map(\.number) == [1, 2])
  }

  @Test func `what a state does not share with the one before it counts while it waits`()
    async throws
  {
    let folder = try Folder()
    let store = ImmutableData.Store<LargeState, Action>(initialState: LargeState()) { _, _ in
      LargeState(bytes: [UInt8](repeating: 1, count: RecordingFormat.waitingBytes))
    }
    let log = Log()
    let recorder = try Recorder(store, to: folder.first, privacy: .raw, logger: log.logger)
    let reasons = Mutex<[String]>([])
    recorder.whenStopped { reason in reasons.withLock { $0.append(reason) } }

    try store.dispatch(action: .count)
    await recorder.finish()

    #expect(reasons.withLock { $0 } == ["too many events waited to be written"])
  }

  @Test func `recording a state that cannot be encoded stops at the limit of one file`()
    async throws
  {
    let folder = try Folder()
    let store = ImmutableData.Store<OtherState, Action>(initialState: OtherState()) { state, _ in
      OtherState(count: state.count + 1)
    }
    let log = Log()
    let recorder = try Recorder(
      store, to: folder.first, privacy: .raw, limit: 20_000, logger: log.logger)
    let reasons = Mutex<[String]>([])
    recorder.whenStopped { reason in reasons.withLock { $0.append(reason) } }
    for _ in 0..<500 { try store.dispatch(action: .count) }
    await recorder.finish()

    #expect(try folder.files.count == 1)
    #expect(try folder.size <= 20_000)
    #expect(log.messages == ["Recording has stopped"])
    #expect(reasons.withLock { $0 } == ["the recording has reached its limit"])
  }
}

/// Keeps what is logged.
private struct Log: LogHandler {
  private final class Messages: Sendable {
    let kept = Mutex<[String]>([])
  }

  private let kept = Messages()
  var metadata: Logger.Metadata = [:]
  var logLevel = Logger.Level.info

  var messages: [String] { self.kept.kept.withLock { $0 } }
  var logger: Logger { Logger(label: "test") { _ in self } }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { self.metadata[key] }
    set { self.metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    self.kept.kept.withLock { $0.append("\(event.message)") }
  }
}

/// The descriptors of this process for a file.
private func openFiles(at url: URL) throws -> [CInt] {
  let folder = "/proc/self/fd"
  let path = url.resolvingSymlinksInPath().path
  return try FileManager.default.contentsOfDirectory(atPath: folder).filter { name in
    (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(name)")) == path
  }.compactMap { CInt($0) }
}
