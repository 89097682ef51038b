public import Foundation
public import ImmutableData
public import ImmutableRuntime
import ImmutableUI
public import Logging
import Synchronization

/// Writes to a file what happens to a store, and what windows are sent of it, so that all of it can be
/// done again (``Replay``).
///
/// A line of JSON for each action: its version, when and from where it came, what it carries, and the
/// digest of the state after it, or why it was refused. A line for each change of a page that windows
/// show: the tags of its regions. A line for each page that a visitor opens, and for each form that one
/// posts. From time to time a checkpoint of the state, if it is `Codable`. Lines
/// are only ever appended, so a file that was cut off by a kill is whole up to its last line end.
///
/// Files are made readable for their owner only. Whether they have what people enter or pseudonyms, and
/// whether they are sealed, is said with ``RecordingPrivacy``.
public final class Recorder<State: Sendable, Action: Codable & Sendable>: Sendable {
  private enum Event: Sendable {
    case dispatch(Dispatch<State, Action>)
    case page(RecordedPage)
    case visit(RecordedVisit)
  }

  private let logger: Logger
  private let privacy: RecordingPrivacy<State, Action>
  private let continuation: AsyncStream<Event>.Continuation
  private let writing: Mutex<Task<Void, Never>?>

  /// Begins to record actions. The state must be the one that a replay begins with. If it is `Codable`,
  /// recording goes on in a new file when one is full; otherwise it ends at the limit.
  ///
  /// - Parameters:
  ///   - store: The store whose actions are recorded, for as long as it lives.
  ///   - url: The file, which must not exist.
  ///   - privacy: What is recorded of the texts that people enter.
  ///   - limit: The most that the recording may have, in bytes.
  ///   - upcasters: Those of this release, so that later ones know what it wrote.
  ///   - logger: Is told why recording has ended.
  /// - Throws: ``RecordingError`` when the file cannot be made.
  @MainActor public convenience init(
    _ store: ImmutableData.Store<State, Action>,
    to url: URL,
    privacy: RecordingPrivacy<State, Action>,
    limit: Int = RecordingFormat.limit,
    upcasters: [Upcaster] = [],
    logger: Logger
  ) throws {
    try self.init(
      store, to: url, privacy: privacy, limit: limit, form: upcasters.count, logger: logger,
      checkpoint: nil)
  }

  @MainActor fileprivate init(
    _ store: ImmutableData.Store<State, Action>,
    to url: URL,
    privacy: RecordingPrivacy<State, Action>,
    limit: Int,
    form: Int,
    logger: Logger,
    checkpoint: RecordingWriter<State, Action>.MakeCheckpoint?
  ) throws {
    let files = try RecordingFiles(url, limit: limit)
    self.logger = logger
    self.privacy = privacy
    // What waits to be written shares the payloads with the state that it led to.
    let (stream, continuation) = AsyncStream.makeStream(
      of: Event.self,
      bufferingPolicy: .bufferingOldest(RecordingFormat.waitingLimit)
    )
    self.continuation = continuation
    self.writing = Mutex(nil)
    let state = store.snapshot().state
    let task = Task.detached {
      await self.write(stream) {
        try RecordingWriter(files, from: state, privacy, form: form, checkpoint)
      }
    }
    self.writing.withLock { $0 = task }
    store.record { Self.put(.dispatch($0), continuation) }
  }

  /// Begins to record what windows are sent. Call it before the first window joins.
  ///
  /// - Parameter windows: The windows of the store. Developer pages are left out.
  public func follow(_ windows: WindowGroup) {
    let (continuation, pseudonyms) = (self.continuation, self.privacy.redaction?.pseudonyms)
    let redact: @Sendable (String, WindowEnvironment) -> String = {
      [weak windows] url, environment in
      guard let pseudonyms else { return url }
      return windows?.url(url, environment: environment, redacted: pseudonyms.callAsFunction) ?? ""
    }
    windows.recordPages(except: DeveloperState.name) { page in
      let page = pseudonyms == nil ? RecordedPage(page) : RecordedPage(page, redact: redact)
      if let page { Self.put(.page(page), continuation) }
    }
    // Whoever has the id of a window or a session can speak for it.
    let names = Pseudonyms()
    windows.recordVisits(except: DeveloperState.name) { visit in
      let url = redact(visit.url, visit.environment)
      Self.put(
        .visit(RecordedVisit(visit, url: url, time: .now, name: names.callAsFunction)), continuation
      )
    }
  }

  /// Ends recording, and waits until all is written.
  public func finish() async {
    self.continuation.finish()
    await self.writing.withLock { $0 }?.value
  }

  /// Recording ends if too much waits to be written.
  private static func put(_ event: Event, _ continuation: AsyncStream<Event>.Continuation) {
    if case .dropped = continuation.yield(event) { continuation.finish() }
  }

  private func write(
    _ stream: AsyncStream<Event>,
    _ makeWriter: () throws -> RecordingWriter<State, Action>
  ) async {
    do {
      var writer = try makeWriter()
      for await event in stream {
        switch event {
        case .dispatch(let dispatch): try writer.write(dispatch)
        case .page(let page): try writer.write(page)
        case .visit(let visit): try writer.write(visit)
        }
      }
    } catch {
      self.continuation.finish()
      self.logger.error("Nothing is recorded any longer", metadata: ["error": "\(error)"])
    }
  }
}

extension Recorder where State: Codable {
  /// Begins to record actions. The state must be the one that a replay begins with.
  ///
  /// When a file has an eighth of the limit, recording goes on in the next (`actions.2.jsonl` after
  /// `actions.jsonl`), which begins with a checkpoint of the state and can be replayed by itself. The
  /// oldest files are removed.
  ///
  /// - Parameters:
  ///   - store: The store whose actions are recorded, for as long as it lives.
  ///   - url: The first file, which must not exist.
  ///   - privacy: What is recorded of the texts that people enter.
  ///   - limit: The most that all files together may have, in bytes.
  ///   - upcasters: Those of this release, so that later ones know what it wrote.
  ///   - logger: Is told why recording has ended.
  /// - Throws: ``RecordingError`` when the file cannot be made.
  @MainActor public convenience init(
    _ store: ImmutableData.Store<State, Action>,
    to url: URL,
    privacy: RecordingPrivacy<State, Action>,
    limit: Int = RecordingFormat.limit,
    upcasters: [Upcaster] = [],
    logger: Logger
  ) throws {
    try self.init(
      store, to: url, privacy: privacy, limit: limit, form: upcasters.count, logger: logger
    ) { state, checkpoint in
      try RecordingFormat.encode(
        CheckpointLine(
          checkpoint: state, version: checkpoint.version, digest: checkpoint.digest))
    }
  }
}
