public import Foundation
public import ImmutableData
public import ImmutableRuntime
import ImmutableUI
public import Logging
import Synchronization

/// Records a store's actions and what windows are sent in a file, so that everything can be
/// replayed (``Replay``).
///
/// There is a line of JSON for each action, with its version, its time, its origin, its payload,
/// and the digest of the state after it, or why it was refused. There is a line for each change of
/// a page that windows show, with the tags of its regions, and a line for each page that a visitor
/// opens and for each form that a visitor posts. If the state is `Codable`, there are also
/// checkpoints of the state. Lines are only appended, so a file that was cut off by a kill is
/// complete up to its last line end.
///
/// Only the owner of the files can read them. ``RecordingPrivacy`` decides whether they contain
/// what people enter or pseudonyms, and whether they are sealed.
public final class Recorder<State: Sendable, Action: Codable & Sendable>: Sendable {
  private enum Event: Sendable {
    case dispatch(Dispatch<State, Action>, at: Date)
    case page(ShownPage, redact: Redact?)
    case visit(Visit, at: Date, redact: Redact?)
    case skip(State, version: UInt64)
  }

  /// Removes what is personal from a URL and its environment.
  private typealias Redact = @Sendable (String, WindowEnvironment) -> (String, WindowEnvironment)

  private let privacy: RecordingPrivacy<State, Action>
  private let queue: RecorderQueue<Event>
  private let writing: Mutex<Task<Void, Never>?>
  private let names = RecordedNames()
  /// The file with which the recording of this process begins.
  package let url: URL

  /// Starts to record actions. The recording begins with a checkpoint of the store's state.
  ///
  /// When a file reaches an eighth of the limit, recording continues in the next file
  /// (`actions.2.jsonl` after `actions.jsonl`), which begins with a checkpoint, too, and can be
  /// replayed on its own. If there are files of an earlier process, recording continues in the next
  /// one, and the limit is for all of them together.
  ///
  /// If the state is not `Codable`, there are no checkpoints. The store's state must then be the
  /// initial state of a replay, and recording ends at the limit.
  ///
  /// - Parameters:
  ///   - store: The store whose actions are recorded, for as long as it lives.
  ///   - url: The first file. It is never overwritten.
  ///   - privacy: What is recorded of the texts that people enter.
  ///   - limit: The maximum size of all files together, in bytes.
  ///   - stopsWhenFull: Whether recording stops at the limit; otherwise the oldest files are removed.
  ///   - upcasters: Those of this release, so that later ones know what it wrote.
  ///   - logger: Receives a message when recording ends.
  /// - Throws: ``RecordingError`` when the file cannot be made, for example because files with such
  ///   names are no recordings.
  @MainActor public init(
    _ store: ImmutableData.Store<State, Action>,
    to url: URL,
    privacy: RecordingPrivacy<State, Action>,
    limit: Int = RecordingFormat.limit,
    stopsWhenFull: Bool = false,
    upcasters: [Upcaster] = [],
    logger: Logger
  ) throws {
    let files = try RecordingFiles(url, limit: limit, stopsWhenFull: stopsWhenFull)
    self.url = files.newest
    self.queue = RecorderQueue(logger: logger)
    self.privacy = privacy
    self.writing = Mutex(nil)
    let newest = store.snapshot()
    let task = Task.detached {
      await withCheckedContinuation { (end: CheckedContinuation<Void, Never>) in
        // A disk that hangs holds no thread of Swift's pool.
        Thread.detachNewThread {
          self.write {
            try RecordingWriter(
              files,
              from: newest.state,
              version: newest.version,
              privacy,
              form: upcasters.count
            )
          }
          end.resume()
        }
      }
    }
    self.writing.withLock { $0 = task }
    store.record { [queue] dispatch in
      queue.put(.dispatch(dispatch, at: .now), bytes: dispatch.retainedBytes)
    } didSkip: { [queue] state, version in
      // The store has the state, too.
      queue.put(.skip(state, version: version), bytes: 0)
    }
  }

  /// Starts to record what windows are sent. Call it before the first window joins.
  ///
  /// - Parameter windows: The windows of the store. Developer pages are left out.
  public func follow(_ windows: WindowGroup) {
    let (queue, redact) = (self.queue, self.redactedURL(of: windows))
    windows.recordPages(except: DeveloperState.name) { page in
      guard redact == nil else {
        if case .goesOn = page.change { return }
        return queue.put(
          .page(page.withoutContent, redact: redact), bytes: page.url.utf8.count)
      }
      queue.put(
        .page(page, redact: nil), bytes: page.url.utf8.count,
        content: page.regions.values.compactMap(\.self))
    }
    windows.recordVisits(except: DeveloperState.name) { visit in
      queue.put(.visit(visit, at: .now, redact: redact), bytes: visit.bytes)
    }
  }

  /// - Returns: `nil` if URLs are recorded as they are.
  private func redactedURL(of windows: WindowGroup) -> Redact? {
    guard let pseudonyms = self.privacy.redaction?.pseudonyms else { return nil }
    return { [weak windows] url, environment in
      let pseudonym = pseudonyms.callAsFunction
      let url = windows?.url(url, environment: environment, redacted: pseudonym) ?? ""
      return (url, environment.redacted(pseudonym))
    }
  }

  /// Calls a closure if recording stops before ``finish()``: the disk is full, there is no room for
  /// a state or an action, or too much waits to be written. What was written until then can be
  /// replayed.
  ///
  /// - Parameter body: Receives why, once; at once if recording has already stopped.
  public func whenStopped(_ body: @escaping @Sendable (_ reason: String) -> Void) {
    self.queue.whenStopped(body)
  }

  /// Ends the recording, and waits until everything is written.
  public func finish() async {
    self.queue.finish()
    await self.writing.withLock { $0 }?.value
  }

  private func write(_ makeWriter: () throws -> RecordingWriter<State, Action>) {
    do {
      var writer = try makeWriter()
      defer { writer.end() }
      while let events = self.queue.next() {
        let result = Result { for event in events { try self.write(event, with: &writer) } }
        // What came before an error, too.
        try writer.flush()
        try result.get()
      }
    } catch {
      self.queue.stop("\(error)")
      _ = self.queue.next()
    }
  }

  private func write(_ event: Event, with writer: inout RecordingWriter<State, Action>) throws {
    switch event {
    case .dispatch(let dispatch, let time): try writer.write(dispatch, at: time)
    case .skip(let state, let version): try writer.skip(to: state, version: version)
    case .page(let page, redact: nil):
      try writer.write(RecordedPage(page), page.regions.mapValues { $0?.rendered })
    case .page(let page, .some(let redact)):
      if let page = RecordedPage(page, redact: redact) { try writer.write(page) }
    case .visit(let visit, let time, let redact):
      let (url, environment) =
        redact?(visit.url, visit.environment) ?? (visit.url, visit.environment)
      try writer.write(
        RecordedVisit(
          visit, url: url, environment: environment, time: time, names: self.names))
    }
  }
}
