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
/// show: the tags of its regions. From time to time a checkpoint of the state, if it is `Codable`. Lines
/// are only ever appended, so a file that was cut off by a kill is whole up to its last line end.
///
/// The file holds what users type. Whoever may not see that must not see the file: it is made readable
/// for its owner only.
public final class Recorder<State: Sendable, Action: Codable & Sendable>: Sendable {
  private enum Event: Sendable {
    case dispatch(Dispatch<State, Action>)
    case page(ShownPage)
  }

  private let logger: Logger
  private let continuation: AsyncStream<Event>.Continuation
  private let writing: Mutex<Task<Void, Never>?>

  /// Begins to record actions. The state must be the one that a replay begins with. If it is `Codable`,
  /// recording goes on in a new file when one is full; otherwise it ends at the limit.
  ///
  /// - Parameters:
  ///   - store: The store whose actions are recorded, for as long as it lives.
  ///   - url: The file, which must not exist.
  ///   - limit: The most that the recording may have, in bytes.
  ///   - logger: Is told why recording has ended.
  /// - Throws: ``RecordingError`` when the file cannot be made.
  @MainActor public convenience init(
    _ store: ImmutableData.Store<State, Action>,
    to url: URL,
    limit: Int = RecordingFormat.limit,
    logger: Logger
  ) throws {
    try self.init(store, to: url, limit: limit, logger: logger, checkpoint: nil)
  }

  @MainActor fileprivate init(
    _ store: ImmutableData.Store<State, Action>,
    to url: URL,
    limit: Int,
    logger: Logger,
    checkpoint: RecordingWriter<State, Action>.MakeCheckpoint?
  ) throws {
    let files = try RecordingFiles(url, limit: limit)
    self.logger = logger
    // What waits to be written shares the payloads with the state that it led to.
    let (stream, continuation) = AsyncStream.makeStream(
      of: Event.self,
      bufferingPolicy: .bufferingOldest(RecordingFormat.waitingLimit)
    )
    self.continuation = continuation
    self.writing = Mutex(nil)
    let state = store.snapshot().state
    let task = Task.detached {
      await self.write(stream) { try RecordingWriter(files, from: state, checkpoint) }
    }
    self.writing.withLock { $0 = task }
    store.record { Self.put(.dispatch($0), continuation) }
  }

  /// Begins to record what windows are sent. Call it before the first window joins.
  ///
  /// - Parameter windows: The windows of the store. Developer pages are left out.
  public func follow(_ windows: WindowGroup) {
    let continuation = self.continuation
    windows.recordPages(except: DeveloperState.name) { Self.put(.page($0), continuation) }
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
        case .page(let page): try writer.write(RecordedPage(page))
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
  ///   - limit: The most that all files together may have, in bytes.
  ///   - logger: Is told why recording has ended.
  /// - Throws: ``RecordingError`` when the file cannot be made.
  @MainActor public convenience init(
    _ store: ImmutableData.Store<State, Action>,
    to url: URL,
    limit: Int = RecordingFormat.limit,
    logger: Logger
  ) throws {
    try self.init(store, to: url, limit: limit, logger: logger) { state, checkpoint in
      try RecordingFormat.encode(
        CheckpointLine(
          checkpoint: state, version: checkpoint.version, digest: checkpoint.digest))
    }
  }
}
