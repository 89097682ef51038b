import Foundation
import HTMLTemplates
import ImmutableData
import ImmutableServer
import ImmutableRuntime
import ImmutableUI
import Logging
import QuakesData
import QuakesUI
import Synchronization

/// Quakes as the Server has it, on a feed that is here already. It says when what happened, and what
/// was run how often:
///
/// ```
/// marks     times of the newest refresh, in nanoseconds of the monotonic clock
/// counts    what rendering has done since the last time, and how often each selector's output ran
/// change    changes 1 % of the feed
/// forget    decodes the next feed as the first one
/// ```
struct QuakesServer {
  private let folder: URL
  private let marks: Marks
  private let feed: ChangingFeed

  init(_ data: Data, folder: URL) {
    let marks = Marks()
    self.folder = folder
    self.marks = marks
    self.feed = ChangingFeed(data, marks: marks)
  }

  func run() async throws {
    let (marks, feed) = (self.marks, self.feed)
    let store = await Store(
      initialState: QuakesState()
    ) { (state: QuakesState, action: QuakesAction) in
      guard case .data(.persistentSession(.remoteStore(.didFetchQuakes))) = action else {
        return try QuakesReducer.reduce(state: state, action: action)
      }
      marks.mark("decoded")
      defer { marks.mark("reduced") }
      return try QuakesReducer.reduce(state: state, action: action)
    }
    let effects = EffectLanes()
    let local = try LocalStore(url: self.folder.appending(path: "quakes.store"))
    let listener = await QuakesData.Listener(
      localStore: MarkingStore(store: local, marks: marks),
      remoteStore: feed,
      lanes: effects
    )
    await listener.listen(to: store)
    let templates = TemplateLibrary(directory: "Templates")
    let windows = try WindowGroup(templates: templates) {
      Provider(store, effects: effects) { Content.page() }
    }
    var configuration = WebServerConfiguration()
    configuration.port = 0
    let server = try await WebServer(
      windows: windows,
      templates: templates,
      configuration: configuration
    )
    let runs = SelectorRuns()
    SelectorLog.enable(Logger(label: "selectors") { _ in runs })
    Thread.detachNewThread { Self.answer(marks, feed, windows, runs) }
    try await server.run { address in
      FileHandle.standardOutput.write(Data("Listening on \(address)\n".utf8))
    }
    try withExtendedLifetime(listener) { try local.close() }
  }

  private struct Counts: Encodable {
    let counts: [String: Int]
    let selectors: [String: [Int]]
  }

  /// Answers what is asked on the standard input.
  private static func answer(
    _ marks: Marks,
    _ feed: ChangingFeed,
    _ windows: WindowGroup,
    _ runs: SelectorRuns
  ) {
    var before = windows.counts
    while let line = readLine() {
      switch line {
      case "marks":
        try? printJSON(marks.all)
      case "counts":
        let counts = windows.counts
        try? printJSON(Counts(counts: (counts - before).byName, selectors: runs.take()))
        before = counts
      case "change":
        feed.change()
        try? printJSON(true)
      case "forget":
        feed.forget()
        try? printJSON(true)
      default:
        break
      }
    }
  }
}

/// Counts how often the output of each selector ran, from what is logged.
struct SelectorRuns: LogHandler {
  private final class Contents: Sendable {
    /// By label, and by instance.
    let runs = Mutex<[String: [String: Int]]>([:])
  }

  private let contents = Contents()
  var metadata: Logger.Metadata = [:]
  var logLevel = Logger.Level.debug

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { self.metadata[key] }
    set { self.metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    let message = "\(event.message)"
    let prefix = "Update Output: "
    guard message.hasPrefix(prefix), let instance = event.metadata?["selector"] else { return }
    let label = String(message.dropFirst(prefix.count))
    self.contents.runs.withLock { $0[label, default: [:]]["\(instance)", default: 0] += 1 }
  }

  /// How often each instance ran since the last time, by label.
  func take() -> [String: [Int]] {
    self.contents.runs.withLock { runs in
      defer { runs = [:] }
      return runs.mapValues { Array($0.values) }
    }
  }
}
