import Foundation
import ImmutableData
import ImmutableRuntime
import ImmutableUI

/// Writes a recording line by line, with occasional checkpoints of the state.
struct RecordingWriter<State: Sendable, Action: Codable & Sendable> {
  /// The minimum number of actions between two checkpoints.
  private static var actionsBetween: Int { 64 }
  /// The next checkpoint is written once the lines since the last one have this many times its
  /// size. So checkpoints are at most a fifth of a file, and cost little even if the state is
  /// large.
  private static var bytesBetween: Int { 4 }

  private var files: RecordingFiles
  private let key: RecordingKey.Public?
  /// The seal of the newest file; `nil` if lines are not sealed.
  private var seal: RecordingSeal?

  /// `nil` if texts are recorded as they are.
  private var redacted: RedactedStates<State, Action>?
  private var state: State
  private var version: UInt64
  /// The version before the first recorded action.
  private let firstVersion: UInt64
  private var digest: StateDigest
  /// The content that windows show, by place. Bounded by the number of windows, whose renders it
  /// shares.
  private var shown: [Int: (page: RecordedPage, regions: [String: Rendered])] = [:]
  /// What the newest file already has.
  private var tags = RecordedTags()

  private let form: Int
  private var actionsSince = 0
  private var bytesSince = 0
  private var checkpointBytes = 0

  /// Begins with a checkpoint, so that a replay does not depend on how the recorded program was
  /// started.
  ///
  /// - Throws: The error if the first lines cannot be written.
  init(
    _ files: RecordingFiles,
    from state: State,
    version: UInt64,
    _ privacy: RecordingPrivacy<State, Action>,
    form: Int
  ) throws {
    self.files = files
    self.key = privacy.key
    self.form = form
    self.redacted = privacy.redaction.map { RedactedStates(from: state, $0) }
    self.state = self.redacted?.newest ?? state
    self.version = version
    self.firstVersion = version
    self.digest = StateDigest(of: self.state)
    let checkpoint = try self.checkpoint()
    try self.files.start(with: self.file(of: [try self.header] + (checkpoint.map { [$0] } ?? [])))
  }

  /// The beginning of a new file.
  private mutating func file(of lines: [Data]) throws -> Data {
    self.seal = try self.key.map(RecordingSeal.init)
    return try lines.reduce(into: try self.seal?.header ?? Data()) { $0 += try self.sealed($1) }
  }

  private mutating func sealed(_ line: Data) throws -> Data {
    try self.seal?.seal(line) ?? line
  }

  private var header: Data {
    get throws {
      try RecordingFormat.encode(
        RecordingHeader(
          format: RecordingFormat.number, digest: self.digest.text, form: self.form))
    }
  }

  /// Writes everything that was recorded so far.
  ///
  /// - Throws: The error of the write.
  mutating func flush() throws { try self.files.flush() }

  /// Ends the recording: ``RecordingFiles/end()``.
  func end() { self.files.end() }

  /// - Parameter time: When it was dispatched.
  /// - Throws: ``RecordingError`` if there is no room; otherwise the error of the write.
  mutating func write(_ dispatch: Dispatch<State, Action>, at time: Date) throws {
    let dispatch = self.redacted?.follow(dispatch) ?? dispatch
    if case .success(let new) = dispatch.result {
      self.digest.follow(from: dispatch.oldState, to: new)
      self.state = new
      self.version = dispatch.version
    }
    self.actionsSince += 1
    let payload = try RecordingFormat.json(dispatch.action)
    let action = RecordedAction(dispatch, digest: self.digest.text, time: time)
    try self.write([action.line(payload, self.tags.reference(to: payload))])
    if self.isCheckpointDue, let checkpoint = try self.checkpoint() { try self.write([checkpoint]) }
  }

  /// Continues in a new file, because no recorded action has led to the state.
  ///
  /// - Throws: ``RecordingError`` if states cannot be written, or if there is no room; otherwise the
  ///   error of the write.
  mutating func skip(to state: State, version: UInt64) throws {
    guard State.self is any Codable.Type else {
      throw RecordingError("the state is one to which no recorded action has led")
    }
    self.redacted?.skip(to: state)
    self.state = self.redacted?.newest ?? state
    self.version = version
    self.digest = StateDigest(of: self.state)
    try self.beginFile()
  }

  /// - Parameter regions: The new content of its regions, with `nil` for those that are gone; `nil`
  ///   if the recording must not have their content.
  /// - Throws: The same as for an action.
  mutating func write(_ page: RecordedPage, _ regions: [String: Rendered?]? = nil) throws {
    let page = page.since(self.firstVersion)
    let old = self.shown[page.place]
    guard let new = page.following(old?.page) else {
      self.shown[page.place] = nil
      return try self.write([page.line])
    }
    var shown = page.begins == nil ? old?.regions ?? [:] : [:]
    for (name, rendered) in regions ?? [:] { shown[name] = rendered }
    self.shown[page.place] = (new, shown)
    // The regions that have not changed, too, because a replay compares all of them.
    let pieces = shown.sorted { $0.key < $1.key }
      .flatMap { self.tags.missingPieces(of: $0.value) }
    try self.write(pieces.map(\.line) + [page.line])
  }

  /// - Throws: The same as for an action.
  mutating func write(_ visit: RecordedVisit) throws {
    try self.write([VisitLine(visit: visit).line])
  }

  /// Writes lines that belong together, so that they are in one file.
  private mutating func write(_ lines: [Data]) throws {
    for line in lines {
      self.bytesSince += line.count
      try self.files.append(try self.sealed(line))
    }
    if self.files.isFull { try self.beginFile() }
  }

  private var isCheckpointDue: Bool {
    self.actionsSince >= Self.actionsBetween
      && self.bytesSince >= Self.bytesBetween * self.checkpointBytes
  }

  /// The line of a checkpoint; `nil` if states are not `Codable`. Then there is only one file.
  private mutating func checkpoint() throws -> Data? {
    let line = try (self.state as? any Codable).map { try self.checkpoint($0) }
    self.checkpointBytes = line?.count ?? 0
    (self.actionsSince, self.bytesSince) = (0, 0)
    return line
  }

  private func checkpoint(_ state: some Codable) throws -> Data {
    try RecordingFormat.encode(
      CheckpointLine(checkpoint: state, version: self.version, digest: self.digest.text))
  }

  /// Continues in a new file, which begins with the state and with what windows show.
  private mutating func beginFile() throws {
    guard let checkpoint = try self.checkpoint() else { return }
    self.tags = RecordedTags()
    let pages = self.shown.sorted { $0.key < $1.key }.map { $0.value.page.line }
    try self.files.begin(with: self.file(of: [try self.header, checkpoint] + pages))
  }
}
