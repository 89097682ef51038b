import Foundation
public import HTMLTemplates
import HTTPConnections
import HTTPTypes
import Hummingbird
public import ImmutableRuntime
import ImmutableUI
import Logging
import NIOPosix
import ServiceLifecycle

/// Serves a ``WindowGroup`` over HTTP.
///
/// ```swift
/// let server = try await WebServer(windows: windows, templates: templates)
/// try await server.run()
/// ```
public struct WebServer: Sendable {
  private let configuration: WebServerConfiguration
  private let windows: WindowGroup
  private let site: Site
  private let group: MultiThreadedEventLoopGroup

  /// - Parameters:
  ///   - windows: The pages.
  ///   - templates: The library with the template of the document around the pages.
  ///   - configuration: How to listen, and the limits.
  /// - Throws: ``StartError`` and `TemplateError`; nothing has been started.
  public init(
    windows: WindowGroup,
    templates: TemplateLibrary,
    configuration: WebServerConfiguration = WebServerConfiguration()
  ) async throws {
    if let path = configuration.conflict(with: windows) {
      throw StartError(
        code: .reservedPath,
        "A page would answer at \(path), where the server itself does. Give the page another path."
      )
    }
    guard (0...65_535).contains(configuration.port) else {
      throw StartError(
        code: .unusableAddress,
        "The port has to be between 0 and 65535, not \(configuration.port)."
      )
    }
    self.configuration = configuration
    self.windows = windows
    self.group = MultiThreadedEventLoopGroup(numberOfThreads: configuration.eventLoops)
    let files = try PublicFiles(
      directory: configuration.publicDirectory,
      bundlesScripts: configuration.reloadsTemplates == false
    )
    try files.require(windows.assets.map(\.path).sorted())
    try files.require(configuration.developer?.picker("/").assets.map(\.path) ?? [])
    let hubs = try await LoopHubs(
      group: self.group,
      windows: windows,
      writeTimeout: configuration.writeTimeout
    )
    windows.connect(reports: hubs.reports, hubs.send)
    self.site = Site(
      windows: windows,
      hubs: hubs,
      files: files,
      document: try Document(
        library: templates,
        files: files,
        links: windows.links,
        reportPath: configuration.reports?.path
      ),
      sessions: Sessions(SessionKey(configuration.sessionKey)),
      configuration: configuration
    )
  }

  private func makeConnectionLimits() -> ConnectionLimits {
    let configuration = self.configuration
    var limits = ConnectionLimits(
      body: configuration.bodyLimit,
      endSignal: EndSignal(
        setting: self.site.isShuttingDown, within: configuration.shutdownTimeout))
    limits.head = configuration.headLimit
    if configuration.pictures != nil { limits.upload = configuration.uploadLimit }
    limits.readTimeout = configuration.readTimeout
    limits.writeTimeout = configuration.writeTimeout
    limits.idleTimeout = configuration.idleTimeout
    limits.refusal = self.site.refusal
    limits.shares = ConnectionShares(limit: configuration.connectionsPerNetwork) { address in
      // The clients of a proxy share its connections.
      configuration.trustedProxies.trusts(address) ? nil : ClientNetwork.key(of: address)
    }
    return limits
  }

  /// Serves until SIGTERM, SIGINT or SIGHUP. Then posts are refused, and streams are told to
  /// reconnect. It returns within ``WebServerConfiguration/shutdownTimeout``, even if requests are
  /// still in progress, for example because a disk does not answer. SIGHUP is left alone if the
  /// process ignored it, or had installed a handler for it, before this was called.
  ///
  /// - Parameter onRunning: Called with the server's address once it listens.
  /// - Throws: ``StartError`` if it cannot listen at its address, or any other error.
  public func run(onRunning: @escaping @Sendable (String) async -> Void = { _ in }) async throws {
    let configuration = self.configuration
    let listening = Listening(
      host: configuration.host, port: configuration.port, logger: configuration.logger)
    let limits = self.makeConnectionLimits()
    let application = Application(
      responder: self.site,
      server: .http1(within: limits),
      configuration: listening.configuration,
      onServerRunning: { await onRunning(listening.begin(on: $0)) },
      eventLoopGroupProvider: .shared(self.group),
      logger: configuration.logger
    )
    // Services end in reverse order: streams first, because connections would not end without that.
    var services = configuration.services
    services += [
      application,
      HeartbeatService(hubs: self.site.hubs, heartbeat: configuration.heartbeat),
      MemoryService(),
    ]
    if configuration.reloadsTemplates {
      services.append(ReloadService(site: self.site))
    }
    if let isCutOff = configuration.isCutOff {
      services.append(
        CutOffService(windows: self.windows, isCutOff: isCutOff, logger: configuration.logger))
    }
    services.append(
      FrameService(
        windows: self.windows, site: self.site, deadline: limits.endSignal.deadline))
    do {
      guard
        try await ServerServices.run(
          services, endings: configuration.endings, until: limits.endSignal,
          logger: configuration.logger)
      else { return }
      await self.finishStreams(by: limits.endSignal.deadline)
      // From here on commands are discarded, because the event loops end.
      self.windows.connect { _ in }
      // Hummingbird shuts down in a task that cannot be awaited and that uses an event loop until
      // its end. On a busy machine, it outlived the event loops in 3 of 100 runs.
      try? await Task.sleep(for: .milliseconds(200))
      try await self.group.shutdownGracefully()
    } catch {
      guard let failure = listening.failure(error) else { throw error }
      throw StartError(
        code: failure.isInUse ? .addressInUse : .unusableAddress, failure.sentence)
    }
  }
}

extension WebServer {
  /// Waits until the connections of all streams have closed, which their tasks have not done.
  private func finishStreams(by deadline: EndDeadline) async {
    let end = ContinuousClock.now + deadline.left(for: .connections)
    while self.windows.streamCount > 0, ContinuousClock.now < end {
      try? await Task.sleep(for: .milliseconds(10))
    }
  }
}

/// When windows are to reconnect, in milliseconds. It is the same for all, and each adds up to half of it
/// by chance (`jittered` in request.js), so they come back spread over a second.
private let returnDelay = 2_000

/// Makes frames, and does periodic work. On shutdown it goes on until the effects in progress have
/// ended, so that windows see their results, and then ends all streams.
private struct FrameService: Service {
  let windows: WindowGroup
  let site: Site
  let deadline: EndDeadline

  func run() async throws {
    await withGracefulShutdownHandler {
      await withTaskGroup { group in
        group.addTask { await self.windows.run() }
        group.addTask { await self.windows.runTicks() }
        try? await gracefulShutdown()
        await self.finishEffects()
        group.cancelAll()
      }
      await self.windows.frame()
      self.windows.closeStreams(retry: returnDelay)
    } onGracefulShutdown: {
      self.site.isShuttingDown.set()
    }
  }

  private func finishEffects() async {
    let limit = self.deadline.left(for: .effects)
    guard await self.windows.finishEffects(within: limit) == false else { return }
    let effects = await self.windows.effectNames.joined(separator: ", ")
    self.site.configuration.logger.error(
      "Effects had not ended on shutdown",
      metadata: ["effects": "\(effects)"]
    )
  }
}

/// Ends all streams when the server is cut off.
private struct CutOffService: Service {
  let windows: WindowGroup
  let isCutOff: @Sendable () -> Bool
  let logger: Logger

  func run() async throws {
    await cancelWhenGracefulShutdown {
      var wasCutOff = false
      while Task.isCancelled == false {
        let isCutOff = self.isCutOff()
        if isCutOff, wasCutOff == false {
          self.logger.error("This server is cut off from changes, so its streams end")
        }
        // Again and again, because a stream may have been about to open.
        if isCutOff, self.windows.streamCount > 0 {
          self.windows.closeStreams(retry: returnDelay, isLast: false)
        }
        wasCutOff = isCutOff
        try? await Task.sleep(for: .milliseconds(500))
      }
    }
  }
}

private struct HeartbeatService: Service {
  let hubs: LoopHubs
  let heartbeat: Duration

  func run() async throws {
    await cancelWhenGracefulShutdown {
      try? await self.hubs.run(heartbeat: self.heartbeat)
    }
  }
}
