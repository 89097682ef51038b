import CoreMetrics
import CounterData
import CounterUI
import DeveloperTools
import Foundation
import HTMLTemplates
import ImmutableData
import ImmutableRuntime
import ImmutableServer
import ImmutableUI
import Logging
import PostgreSQLLog
import Replication
import Testing
import Tracing
import WindowTesting

// docs/PRODUCTS.md, *Test it*; docs/CLUSTER.md; docs/DEVELOPER.md. They are compiled, and not run.

typealias AppState = CounterState

enum AppReducer {
  static let reduce = CounterReducer.reduce
}

struct Content: Root {
  typealias State = CounterState

  init(_ local: NoLocalState) {}

  var body: some Component { CounterNumber() }

  static func page() -> Page<Self> { Page(Content.self, at: "/counter", title: "Counter") }
}

struct CounterNumber: Presenter {
  static let template = Template<Self>([])
}

@MainActor func test(_ store: Store<CounterState, CounterAction>, _ templates: TemplateLibrary)
  async throws
{
  let app = try TestApp(templates: templates) { Provider(store) { Content.page() } }
  let window = try await app.open("/counter")
  let other = try await app.open("/counter")
  try await window.submit("increment")
  try await window.expect("Value: 1")
  try await other.expect("Value: 1")
  try await app.finish()
}

@MainActor func share(_ lanes: EffectLanes) async throws {
  let log = PostgreSQLLog(try PostgreSQLAddress("postgres://server@db.example.org/products"))
  try await log.open()
  let states = StateCoding(upcasters: [])
  var configuration = ReplicaConfiguration<CounterState>(
    product: "counter",
    reducer: 1,
    coding: SnapshotCoding {
      try states.encode($0)
    } decode: {
      try states.decode(CounterState.self, from: $0)
    } digest: {
      StateDigest(of: $0).text
    }
  )
  configuration.lanes = lanes
  let replica = try await Replica.begin(
    log, configuration, initialState: CounterState(), reducer: Reducer(CounterReducer.reduce))
  // Listeners that run effects start to listen to replica.store here, before catchUp().
  try await replica.catchUp()

  var server = WebServerConfiguration()
  try await server.follow(replica)
}

@MainActor func measure(
  _ store: Store<CounterState, CounterAction>,
  _ configuration: inout WebServerConfiguration,
  _ logger: Logger
) {
  let metrics = PrometheusMetrics()
  MetricsSystem.bootstrap(metrics)  // of the module CoreMetrics, before the store is made
  configuration.metrics = metrics
  ActionLogger.start(store, logger)
}

@MainActor func record(
  _ store: Store<CounterState, CounterAction>, _ windows: WindowGroup, _ logger: Logger
) async throws {
  let recorder = try Recorder(
    store,
    to: URL(filePath: "recording.jsonl"),
    privacy: .pseudonyms(AppReducer.reduce),
    logger: logger
  )
  recorder.follow(windows)
  // … and in another program:
  let replay = Replay(initialState: AppState(), reducer: AppReducer.reduce, windows: windows)
  print(try replay.compare(URL(filePath: "recording.jsonl")))  // what was compared, or what differs
}

// docs/DEVELOPER.md, *Compare two builds*: the commands of a program of one's own.

@MainActor func replay(_ arguments: [String], _ windows: WindowGroup) async throws {
  let file = URL(filePath: arguments[0])
  let replay = Replay(initialState: AppState(), reducer: AppReducer.reduce, windows: windows)
  switch arguments.dropFirst().first {
  case "--play":
    // The other build is asked for its results.
    try await replay.play(file) { try FileHandle.standardOutput.write(contentsOf: $0) }
  case "--against":
    let (old, new) = (player(in: URL(filePath: arguments[2])), player(in: URL(filePath: ".")))
    let outcome = try BuildComparison(old(file), new(file), of: file).run()
    let report = DifferenceReport(outcome).html
    try Data(report.utf8).write(to: URL(filePath: "differences.html"))
    print("\(outcome.count) differences")
    if outcome.results.count > 0 { try shrink(file, old, new) }
  default:
    print(try replay.compare(file))
  }
}

/// How the build in a checkout plays a recording.
func player(in folder: URL) -> RecordingShrinker.Player {
  let program = folder.appending(path: ".build/release/Counter")
  let templates = folder.appending(path: "Templates").path
  return { file in
    BuildComparison.Build(program, ["replay", file.path, "--play", templates])
  }
}

func shrink(
  _ file: URL, _ old: @escaping RecordingShrinker.Player, _ new: @escaping RecordingShrinker.Player
) throws {
  let shrinker = try RecordingShrinker(file, old: old, new: new)
  let shrunk = URL(filePath: "shrunk.jsonl")
  print("\(try shrinker.shrink(to: shrunk)) actions show a difference")
  let program = TestedProgram(
    imports: ["@testable import Counter"],
    state: "CounterState",
    initialState: "CounterState()",
    reducer: "CounterReducer.reduce",
    providers: [#"Provider(store) { Page(Content.self, at: "/", title: "Counter") }"#]
  )
  let test = try shrinker.test(of: shrunk, in: program)
  try Data(test.utf8).write(to: URL(filePath: "Tests/CounterTests/DifferenceTests.swift"))
}

func history() -> [Upcaster] {
  let upcasters = [
    // "didTapAdd" is "didTapAddButton" now.
    Upcaster(action: { $0.rename("didTapAdd", to: "didTapAddButton") }),
    // A counter has a step now.
    Upcaster(state: { $0["step"] = .integer(1) }),
  ]
  return upcasters
}

struct Note {
  let id: String
  let text: String
}

extension Note: Redactable {
  func redacted(_ pseudonym: (String) -> String) -> Self {
    Note(id: self.id, text: pseudonym(self.text))
  }
}

@MainActor func report(
  _ store: Store<CounterState, CounterAction>,
  _ windows: WindowGroup,
  _ configuration: inout WebServerConfiguration,
  _ logger: Logger
) async throws {
  let reporter = try Reporter(
    store,
    reducer: AppReducer.reduce,
    in: URL(filePath: "reports"),
    logger: logger
  )
  try reporter.follow(windows)
  configuration.reports = reporter.pages
}

extension CounterNumber: Previewed {
  static var previews: [Preview<Self>] {
    [
      Preview("Zero", in: PreviewStore(CounterState(0))) { CounterNumber() },
      Preview("Many digits", in: PreviewStore(CounterState(1_234_567))) { CounterNumber() },
    ]
  }
}

func trace(_ tracer: some Tracer) {
  InstrumentationSystem.bootstrap(tracer)  // before the WebServer is made
}

@MainActor func compare(_ app: TestApp, _ folder: URL) throws {
  let snapshots = PreviewSnapshots(of: app.windows, in: folder)
  let problems = try snapshots.problems()
  #expect(problems == [])
  let missing = try snapshots.componentsWithoutPreview(in: ["CounterUI"])
  #expect(missing == [])
}

@MainActor func develop(
  _ store: Store<CounterState, CounterAction>,
  _ templates: TemplateLibrary,
  _ configuration: inout WebServerConfiguration
) async throws {
  let developer = Developer(store)  // dispatchLogger: logger, to dispatch by hand
  let windows = try WindowGroup(templates: templates) {
    Provider(store) { Content.page() }
    developer.provider
  }
  await developer.follow(windows)
  configuration.developer = developer.pages
}
