public import Foundation
public import ImmutableData
public import Logging
import Synchronization

/// Writes every action of a store to a file, from which they can be carried out again (``Replay``).
///
/// A line of JSON for each action: its version, when and from where it came, what it carries, and the
/// digest of the state after it, or why it was refused. Lines are only ever appended, so a file that
/// was cut off by a kill is whole up to its last line end.
///
/// The file holds what users type. Whoever may not see that must not see the file: it is made readable
/// for its owner only.
public final class ActionRecorder<State: Sendable, Action: Codable & Sendable>: Sendable {
  private let file: FileHandle
  private let limit: Int
  private let logger: Logger
  private let continuation: AsyncStream<Dispatch<State, Action>>.Continuation
  private let writing: Mutex<Task<Void, Never>?>

  /// Begins to record. The state must be the one that a replay begins with.
  ///
  /// - Parameters:
  ///   - store: The store whose actions are recorded, for as long as it lives.
  ///   - url: The file, which must not exist.
  ///   - limit: Recording ends when the file has so many bytes.
  ///   - logger: Is told why recording has ended.
  /// - Throws: When the file cannot be made.
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
      of: Dispatch<State, Action>.self,
      bufferingPolicy: .bufferingOldest(RecordingFormat.waitingLimit)
    )
    self.continuation = continuation
    self.writing = Mutex(nil)
    let state = store.snapshot().state
    self.writing.withLock { $0 = Task.detached { await self.write(stream, from: state) } }
    store.record { dispatch in
      if case .dropped = continuation.yield(dispatch) { continuation.finish() }
    }
  }

  /// Ends recording, and waits until all is written.
  public func finish() async {
    self.continuation.finish()
    await self.writing.withLock { $0 }?.value
  }

  private func write(_ stream: AsyncStream<Dispatch<State, Action>>, from state: State) async {
    var digest = StateDigest(of: state)
    var bytes = 0
    var dispatches = 0
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do {
      func write(_ line: some Encodable) throws {
        let data = try encoder.encode(line) + Data("\n".utf8)
        bytes += data.count
        try self.file.write(contentsOf: data)
      }
      try write(RecordingHeader(format: RecordingFormat.number, digest: digest.text))
      for await dispatch in stream {
        if case .success(let new) = dispatch.result {
          digest.follow(from: dispatch.oldState, to: new)
        }
        try write(RecordedAction(dispatch, digest: digest.text))
        dispatches += 1
        guard bytes < self.limit else { throw RecordingError("the file has reached its limit") }
      }
    } catch {
      self.continuation.finish()
      self.logger.error(
        "Actions are no longer recorded",
        metadata: ["error": "\(error)", "recorded": "\(dispatches)"]
      )
    }
  }
}

enum RecordingFormat {
  static let number = 1
  /// At most so many actions wait to be written; when there are more, recording ends.
  static let waitingLimit = 10_000
}

/// Why nothing can be recorded or replayed.
public struct RecordingError: Error, CustomStringConvertible {
  public let description: String

  init(_ description: String) {
    self.description = description
  }
}

/// The first line of a recording.
struct RecordingHeader: Codable {
  let format: Int
  /// Of the state before the first action.
  let digest: String
}

/// An action in a recording.
struct RecordedAction<Action: Codable>: Codable {
  let version: UInt64
  let time: Date
  /// `nil` if nobody has said.
  let origin: String?
  let action: Action
  /// `nil` if it was not refused.
  let refusal: String?
  /// Of the state after it.
  let digest: String

  init<State>(_ dispatch: Dispatch<State, Action>, digest: String) {
    self.version = dispatch.version
    self.time = .now
    self.origin = dispatch.origin?.text
    self.action = dispatch.action
    self.refusal = if case .failure(let error) = dispatch.result { "\(error)" } else { nil }
    self.digest = digest
  }
}
