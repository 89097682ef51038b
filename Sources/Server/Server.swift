import AnimalsData
import AnimalsUI
import ArgumentParser
import CoreMetrics
import CounterUI
import DatabaseFiles
import DeveloperTools
import Foundation
import HTMLTemplates
import HTTPConnections
import ImmutableData
import ImmutableRuntime
import ImmutableServer
import ImmutableUI
import Logging
import QuakesData
import QuakesUI
import Synchronization
import Terminal

/// Combines the products in one Store and serves them.
@main struct Server: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "Server",
    abstract: "Serves the products of ImmutableData for the web.",
    discussion: "Every option has a default that runs: start it in the folder of the project.",
    subcommands: [ReplayCommand.self, RecordingKeyCommand.self]
  )

  @OptionGroup(title: "Listening") var listening: ListeningOptions
  @OptionGroup(title: "Files") var files: FileOptions
  @OptionGroup(title: "Animals") var animals: AnimalsOptions
  @OptionGroup(title: "Quakes") var quakes: QuakesOptions
  @OptionGroup(title: "Several servers") var cluster: ClusterOptions
  @OptionGroup(title: "Operations") var operations: OperationOptions
  @OptionGroup(title: "Limits") var limits: LimitOptions
  @OptionGroup(title: "Logging") var logging: LoggingOptions
  @OptionGroup(title: "Recording") var recording: RecordingOptions

  /// Runs the server, or reports in one line what is wrong with the options.
  static func main() async {
    await Self.runOrComplain { LogWriter.standardError.writeLast($0) }
  }

  func validate() throws {
    guard self.cluster.address != nil else { return }
    guard self.animals.animalsAPI == nil else {
      throw ValidationError(
        "--log and --animals-api cannot be used together, because with --log the animals are in "
          + "the log. Remove one of them.")
    }
  }

  mutating func run() async throws {
    try ServerProcess.prepare()
    let logger = self.logging.makeLogger()
    let metrics = PrometheusMetrics()
    MetricsSystem.bootstrap(metrics)
    do {
      try await self.serve(logger, metrics)
    } catch let error as StartError {
      throw Complaint(error.complaint)
    } catch {
      // One line that says what to do. The chain of underlying errors would not help.
      throw Complaint("\(error)")
    }
  }

  private func serve(_ logger: Logger, _ metrics: PrometheusMetrics) async throws {
    // Longer than the timeouts of all operations. An operation that has not ended by then never
    // will.
    let deadline = max(
      120,
      2 * self.animals.timeout,
      // A fetch waits for its turn first.
      self.quakes.quakesPace / 1_000 + 7 * self.quakes.quakesTimeout + 1
    )
    let effects = EffectLanes(
      deadline: .seconds(deadline),
      middleware: [EffectMetrics.middleware(logger)]
    ) { events, isLost in
      Gauge(label: "outside_events_lost", dimensions: [("events", events)]).record(isLost ? 1 : 0)
    }
    let directory = try self.files.makeDataDirectory()
    let cluster = try await self.cluster.begin(
      effects,
      animalsLimit: self.animals.animalsLimit,
      quakesLimit: self.quakes.quakesLimit,
      isSample: self.quakes.isSample,
      directory: directory,
      logger: logger
    )
    let pictures = try self.animals.openPictures(in: directory, origin: cluster?.pictures, logger)
    let store =
      if let cluster {
        cluster.store
      } else {
        await Store(
          initialState: AppState(
            animals: AnimalsState(limit: self.animals.animalsLimit),
            quakes: QuakesState(
              limit: self.quakes.quakesLimit,
              isSample: self.quakes.isSample
            )
          ),
          reducer: AppReducer.reducer
        )
      }
    // With a log, recording starts once the log has been read, because the log has the earlier
    // actions.
    var recorder = cluster == nil ? try await self.recording.start(store, logger) : nil
    let isListening = Mutex(false)
    // A recording without a start says nothing.
    defer { if let recorder, isListening.withLock({ $0 }) == false { unlink(recorder.url.path) } }
    let pages = await AppPages(store)
    let (animals, quakes) = (pages.animals, pages.quakes)
    let gauges: [any AnyObject & Sendable] = [
      await StateGauge(label: "animals", store: animals) { $0.animals.data.count },
      await StateGauge(label: "quakes", store: quakes) { $0.quakes.data.count },
    ]
    defer { withExtendedLifetime(gauges) {} }
    let catalog = try await self.animals.listen(
      to: animals,
      effects: effects,
      directory: directory,
      pictures: pictures,
      isShared: cluster != nil,
      logger: logger
    )
    let earthquakes = try await self.quakes.listen(
      to: quakes,
      effects: effects,
      directory: directory,
      isShared: cluster != nil,
      logger: logger
    )
    if let cluster {
      try await cluster.catchUp()
      recorder = try await self.recording.start(store, logger)
    }
    let reporter = try await self.recording.makeReporter(store, logger)
    let templates = TemplateLibrary(directory: self.files.templates)
    var limits = self.limits.windowGroup
    let developer = await self.operations.makeDeveloper(of: store, logger)
    // Developers who edit templates want to know about selectors that keep stale output.
    limits.isAuditing = self.files.reloadTemplates
    let windows = try WindowGroup(
      templates: templates,
      configuration: limits
    ) {
      pages.providers(effects: effects)
      if let developer { developer.provider }
    }
    await developer?.follow(windows)
    if let recorder {
      recorder.follow(windows)
      developer?.follow(recorder)
    }
    try reporter?.follow(windows)
    if self.logging.logsRenders { RenderLogger.start(windows, logger) }

    var configuration = WebServerConfiguration()
    self.listening.apply(to: &configuration)
    self.files.apply(to: &configuration)
    self.limits.apply(to: &configuration)
    try self.operations.apply(to: &configuration)
    configuration.pictures = pictures
    configuration.pictureLimit = self.animals.pictureBytes
    let folder = DiskCheck()
    configuration.obstacles = {
      async let animals = catalog.obstacle
      async let quakes = earthquakes.obstacle
      async let pictures = folder.obstacle { pictures.obstacle }
      return await [animals, quakes, pictures.map { "Pictures cannot be used. \($0)" }]
        .compactMap(\.self)
    }
    configuration.endings = [
      Ending("The recording") { [recorder] in await recorder?.finish() },
      Ending("The animals", blocking: catalog.close),
      Ending("The earthquakes", blocking: earthquakes.close),
    ]
    if let cluster {
      try await configuration.follow(cluster.replica)
      configuration.services.append(cluster)
    }
    configuration.metrics = metrics
    configuration.developer = developer?.pages
    configuration.reports = reporter?.pages
    configuration.logger = logger
    let server = try await WebServer(
      windows: windows,
      templates: templates,
      configuration: configuration
    )
    if self.logging.logsActions { await ActionLogger.start(store, logger) }
    try await server.run { address in
      isListening.withLock { $0 = true }
      print("Listening on \(address)")
    }
  }
}

extension StartError {
  /// The description with the option that helps.
  var complaint: String {
    switch self.code {
    case .addressInUse: "\(self.description) (--port)"
    case .unusableAddress: "\(self.description) (--host, --port)"
    case .missingAsset, .reservedPath, .unbundledScript, .unusableSessionKey, .unusableSetting:
      self.description
    case .missingFolder: "\(self.description) (--public)"
    }
  }
}
