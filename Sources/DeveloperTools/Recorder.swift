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
/// show: the tags of its regions. Lines are only ever appended, so a file that was cut off by a kill is
/// whole up to its last line end.
///
/// The file holds what users type. Whoever may not see that must not see the file: it is made readable
/// for its owner only.
public final class Recorder<State: Sendable, Action: Codable & Sendable>: Sendable {
  private enum Event: Sendable {
    case dispatch(Dispatch<State, Action>)
    case page(ShownPage)
  }

  private let file: FileHandle
  private let limit: Int
  private let logger: Logger
  private let continuation: AsyncStream<Event>.Continuation
  private let writing: Mutex<Task<Void, Never>?>

  /// Begins to record actions. The state must be the one that a replay begins with.
  ///
  /// - Parameters:
  ///   - store: The store whose actions are recorded, for as long as it lives.
  ///   - url: The file, which must not exist.
  ///   - limit: Recording ends when the file has so many bytes.
  ///   - logger: Is told why recording has ended.
  /// - Throws: ``RecordingError`` when the file cannot be made.
  @MainActor public init(
    _ store: ImmutableData.Store<State, Action>,
    to url: URL,
    limit: Int = 256 << 20,
    logger: Logger
  ) throws {
    let descriptor = open(url.path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw RecordingError("\(url.path) cannot be made: \(String(cString: strerror(errno))).")
    }
    self.file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    self.limit = limit
    self.logger = logger
    // What waits to be written shares the payloads with the state that it led to.
    let (stream, continuation) = AsyncStream.makeStream(
      of: Event.self,
      bufferingPolicy: .bufferingOldest(RecordingFormat.waitingLimit)
    )
    self.continuation = continuation
    self.writing = Mutex(nil)
    let state = store.snapshot().state
    self.writing.withLock { $0 = Task.detached { await self.write(stream, from: state) } }
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

  private func write(_ stream: AsyncStream<Event>, from state: State) async {
    var digest = StateDigest(of: state)
    var bytes = 0
    do {
      func write(_ line: some Encodable) throws {
        let data = try RecordingFormat.encode(line)
        bytes += data.count
        try self.file.write(contentsOf: data)
      }
      try write(RecordingHeader(format: RecordingFormat.number, digest: digest.text))
      for await event in stream {
        switch event {
        case .dispatch(let dispatch):
          if case .success(let new) = dispatch.result {
            digest.follow(from: dispatch.oldState, to: new)
          }
          try write(RecordedAction(dispatch, digest: digest.text))
        case .page(let page):
          try write(RecordedPage(page))
        }
        guard bytes < self.limit else { throw RecordingError("the file has reached its limit") }
      }
    } catch {
      self.continuation.finish()
      self.logger.error(
        "Nothing is recorded any longer", metadata: ["error": "\(error)", "bytes": "\(bytes)"])
    }
  }
}
