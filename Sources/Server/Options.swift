import ArgumentParser
import CoreMetrics
import DeveloperTools
import Foundation
import HTTPConnections
import ImmutableData
import ImmutableRuntime
import ImmutableServer
import ImmutableUI
import Logging
import Terminal

struct ListeningOptions: ParsableArguments {
  @Option(help: "The address to listen on; 0.0.0.0 for all addresses.")
  var host = "127.0.0.1"

  @Option(help: "The port to listen on, 0 to 65535; 0 picks a free one.")
  var port = 8080

  @Option(
    help: """
      Names that browsers may use for this server, separated by commas. Loopback names and IP \
      addresses are always allowed.
      """
  )
  var allowedHosts = ""

  func validate() throws {
    guard (0...65_535).contains(self.port) else {
      throw ValidationError("--port must be between 0 and 65535, not \(self.port).")
    }
    guard HostPolicy.names(in: self.allowedHosts) != nil else {
      throw ValidationError(
        "--allowed-hosts must have names like app.example.org, without a scheme and a port, not "
          + "\(self.allowedHosts).")
    }
  }

  func apply(to configuration: inout WebServerConfiguration) {
    configuration.host = self.host
    configuration.port = self.port
    configuration.allowedHosts = HostPolicy.names(in: self.allowedHosts) ?? []
  }
}

struct OperationOptions: ParsableArguments {
  @Option(
    help: """
      IP addresses and networks of proxies in front of the server, separated by commas, for example \
      127.0.0.1,10.0.0.0/8. X-Forwarded-For and X-Forwarded-Proto are trusted only from them.
      """
  )
  var trustedProxy: String?

  @Option(
    help: """
      A file with the token that /metrics requires; without it, only this machine can read them.
      """
  )
  var metricsTokenFile: String?

  @Flag(
    help: """
      Show the developer pages at /developer and /previews to clients that may read /metrics. They show what \
      all visitors do.
      """
  )
  var developer = false

  @Flag(
    help: """
      Let the developer pages do things that visitors notice: dispatch actions, put everything back, cut \
      browsers off and slow them down. They then work only on this machine. Do not use it in production.
      """
  )
  var developerDispatch = false

  func validate() throws {
    guard self.developer || self.developerDispatch == false else {
      throw ValidationError("--developer-dispatch needs --developer.")
    }
    if let proxies = self.trustedProxy, TrustedProxies(proxies) == nil {
      throw ValidationError(
        "--trusted-proxy must have IP addresses or networks like 10.0.0.0/8, not \(proxies)."
      )
    }
  }

  /// - Returns: `nil` if developer pages were not requested.
  @MainActor func makeDeveloper(
    of store: Store<AppState, AppAction>,
    _ logger: Logger
  ) -> Developer? {
    guard self.developer else { return nil }
    return Developer(
      store,
      dispatchLogger: self.developerDispatch ? logger : nil
    )
  }

  func apply(to configuration: inout WebServerConfiguration) throws {
    configuration.trustedProxies =
      self.trustedProxy.flatMap { TrustedProxies($0) } ?? TrustedProxies()
    configuration.metricsToken = try self.metricsTokenFile.map(TokenFile.read)
  }
}

struct FileOptions: ParsableArguments {
  @Option(help: "The folder for databases; it is created if it does not exist.")
  var dataDirectory = "data"

  @Option(help: "The folder of templates.")
  var templates = "Templates"

  @Option(name: .customLong("public"), help: "The folder of files served below /public/.")
  var publicDirectory = "Public"

  @Flag(help: "Show edited templates and public files immediately, for development.")
  var reloadTemplates = false

  /// - Throws: If the folder does not exist and cannot be created.
  func makeDataDirectory() throws -> URL {
    let url = URL(filePath: self.dataDirectory, directoryHint: .isDirectory)
    do {
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    } catch {
      throw ValidationError(
        "The data directory \(self.dataDirectory) cannot be created. Choose another with "
          + "--data-directory."
      )
    }
    return url
  }

  func apply(to configuration: inout WebServerConfiguration) {
    configuration.templateDirectory = self.templates
    configuration.publicDirectory = self.publicDirectory
    configuration.reloadsTemplates = self.reloadTemplates
  }
}

struct LimitOptions: ParsableArguments {
  @Option(help: "The minimum time between two pushes under load, in milliseconds.")
  var frameInterval = 16

  @Option(help: "The maximum number of windows.")
  var windows = 100_000

  @Option(help: "The maximum number of windows per browser.")
  var windowsPerSession = 1_000

  @Option(help: "The maximum number of streams; a browser needs one.")
  var streams = 20_000

  @Option(help: "The maximum number of streams per browser.")
  var streamsPerSession = 64

  @Option(help: "The maximum number of streams per IPv4 address, or IPv6 network of 64 bits.")
  var streamsPerNetwork = 5_000

  @Option(help: "The maximum number of windows per IPv4 address, or IPv6 network of 64 bits.")
  var windowsPerNetwork = 20_000

  @Option(help: "The maximum number of connections per IPv4 address, or IPv6 network of 64 bits.")
  var connectionsPerNetwork = 6_000

  @Option(help: "The maximum memory for the content of windows, in megabytes.")
  var renderMemory = 512

  @Option(help: "The maximum memory for what clients have not read yet, in megabytes.")
  var unreadMemory = 256

  @Option(help: "The maximum size of a request's body, in bytes.")
  var bodyLimit = 65_536

  @Option(help: "The maximum number of fields in a form.")
  var fieldLimit = 256

  @Option(help: "The maximum size of a request's head, in bytes.")
  var headLimit = 32_768

  @OptionGroup var timeouts: TimeoutOptions

  @Option(help: "The number of threads for connections; 0 for one fewer than the cores.")
  var eventLoops = 0

  @Option(
    help: """
      How many posts of each product may still wait for an effect, for example for the database, \
      before further posts are refused. One IPv4 address, or IPv6 network of 64 bits, may have a \
      quarter of them.
      """
  )
  var backlog = 10_000

  func validate() throws {
    try self.require(["--frame-interval": self.frameInterval], in: 0...60_000)
    try self.require(["--event-loops": self.eventLoops], in: 0...1_024)
    try self.require(
      [
        "--windows": self.windows, "--windows-per-session": self.windowsPerSession,
        "--streams": self.streams, "--streams-per-session": self.streamsPerSession,
        "--streams-per-network": self.streamsPerNetwork,
        "--windows-per-network": self.windowsPerNetwork,
        "--connections-per-network": self.connectionsPerNetwork, "--body-limit": self.bodyLimit,
        "--field-limit": self.fieldLimit, "--head-limit": self.headLimit, "--backlog": self.backlog,
      ], in: .counts)
    try self.require(
      ["--render-memory": self.renderMemory, "--unread-memory": self.unreadMemory], in: .megabytes)
  }

  var windowGroup: WindowGroup.Configuration {
    var configuration = WindowGroup.Configuration()
    configuration.frameInterval = .milliseconds(self.frameInterval)
    configuration.windows = self.windows
    configuration.windowsPerSession = self.windowsPerSession
    configuration.windowsPerNetwork = self.windowsPerNetwork
    configuration.streams = self.streams
    configuration.streamsPerSession = self.streamsPerSession
    configuration.streamsPerNetwork = self.streamsPerNetwork
    configuration.renderBytes = self.renderMemory << 20
    configuration.unreadBytes = self.unreadMemory << 20
    configuration.backlog = self.backlog
    return configuration
  }

  func apply(to configuration: inout WebServerConfiguration) {
    if self.eventLoops > 0 {
      configuration.eventLoops = self.eventLoops
    }
    configuration.connectionsPerNetwork = self.connectionsPerNetwork
    configuration.bodyLimit = self.bodyLimit
    configuration.fieldLimit = self.fieldLimit
    configuration.headLimit = self.headLimit
    configuration.readTimeout = self.timeouts.read
    configuration.writeTimeout = self.timeouts.write
    configuration.idleTimeout = self.timeouts.idle
  }
}

struct RecordingOptions: ParsableArguments {
  @Option(
    help: """
      Record every action, and the pages of windows, in this file, for Server replay FILE, or in the \
      next one if a Server has recorded there before. What visitors enter is replaced by pseudonyms.
      """
  )
  var record: String?

  @Option(
    help: """
      Record what visitors enter unchanged, and what windows are sent, encrypted for the private key that \
      belongs to this public one. Server recording-key FILE makes both.
      """
  )
  var recordKey: String?

  @Option(
    help: """
      The maximum size of a recording, in megabytes. When a file has an eighth of it, recording continues \
      in the next one, and the oldest are removed, unless --record-until-full is set. (default: \
      \(RecordingFormat.limit >> 20))
      """
  )
  var recordMegabytes: Int?

  @Flag(help: "Stop recording at its maximum size, and keep the oldest files.")
  var recordUntilFull = false

  @Option(
    help: """
      Let visitors report problems, and keep the reports in this folder, for Server replay FILE. All \
      pages link to the form.
      """
  )
  var reports: String?

  func validate() throws {
    guard self.record != nil || self.recordKey == nil else {
      throw ValidationError("--record-key needs --record.")
    }
    guard self.record != nil || self.recordUntilFull == false else {
      throw ValidationError("--record-until-full needs --record.")
    }
    if let megabytes = self.recordMegabytes {
      try self.require(["--record-megabytes": megabytes], in: .megabytes)
      guard self.record != nil else { throw ValidationError("--record-megabytes needs --record.") }
    }
  }

  /// Begins recording, if it was requested. The metric `recording_stopped` says whether it goes on.
  @MainActor func start(
    _ store: Store<AppState, AppAction>,
    _ logger: Logger
  ) throws -> DeveloperTools.Recorder<AppState, AppAction>? {
    let gauge = Gauge(label: "recording_stopped")
    gauge.record(0)
    return try self.record.map { path in
      let recorder = try DeveloperTools.Recorder(
        store,
        to: URL(filePath: path),
        privacy: self.privacy,
        limit: self.recordMegabytes.map { $0 << 20 } ?? RecordingFormat.limit,
        stopsWhenFull: self.recordUntilFull,
        upcasters: AppState.upcasters,
        logger: logger
      )
      recorder.whenStopped { _ in gauge.record(1) }
      return recorder
    }
  }

  /// Lets visitors report problems, if that was requested.
  @MainActor func makeReporter(
    _ store: Store<AppState, AppAction>,
    _ logger: Logger
  ) throws -> Reporter<AppState, AppAction>? {
    try self.reports.map { path in
      try Reporter(
        store,
        reducer: AppReducer.reduce,
        in: URL(filePath: path, directoryHint: .isDirectory),
        upcasters: AppState.upcasters,
        logger: logger
      )
    }
  }

  private var privacy: RecordingPrivacy<AppState, AppAction> {
    get throws {
      guard let recordKey else { return .pseudonyms(AppReducer.reduce) }
      return .sealed(for: try RecordingKey.Public(URL(filePath: recordKey)))
    }
  }
}

struct LoggingOptions: ParsableArguments {
  @OptionGroup var output: LogOptions

  @Flag(help: "Log each selector that runs, at level debug.")
  var logSelectors = false

  @Flag(
    name: .customLong("log-actions"),
    help: "Log each action with its changes, at level debug."
  )
  var logsActions = false

  @Flag(
    name: .customLong("log-renders"),
    help: "Log each change that windows are sent, at level debug."
  )
  var logsRenders = false

  /// Configures logging for the whole process. Call it once.
  func makeLogger() -> Logger {
    var level = self.output.level
    if self.logSelectors || self.logsActions || self.logsRenders {
      level = min(level, .debug)
    }
    LoggingSystem.writeToStandardError(from: level, isJSON: self.output.isJSON)
    let logger = Logger(label: "server")
    if self.logSelectors {
      SelectorLog.enable(logger)
    }
    return logger
  }
}
