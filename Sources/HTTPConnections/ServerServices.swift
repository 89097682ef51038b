import Dispatch
package import Logging
package import ServiceLifecycle
import Synchronization

/// The services of a server. They end in time even if a part of them does not, for example a request
/// that waits for a disk that does not answer, as long as a thread that runs tasks is free.
package enum ServerServices {
  /// How long services that were cancelled may take to end.
  private static let grace = Duration.milliseconds(600)
  /// How long the process may take to end after its services.
  private static let rest = Duration.milliseconds(400)

  /// Runs services until a signal arrives, one of them fails, or the task is cancelled.
  ///
  /// - Parameters:
  ///   - services: They end in reverse order. One second before the limit, those that have not ended
  ///     are cancelled, all at the same time.
  ///   - signal: Notices the signals that end them, also one that came before.
  ///   - limit: How long the process may take to end.
  ///   - logger: Receives what happens to the services, and an error if they do not end in time.
  /// - Returns: Whether they ended in time. Otherwise their tasks go on until the process ends.
  /// - Throws: What a service throws, or an error that names each ``Ending`` that has not ended in
  ///   time.
  package static func run(
    _ services: [any Service],
    until signal: EndSignal,
    endingWithin limit: Duration,
    logger: Logger
  ) async throws -> Bool {
    let progress = ServiceProgress(services)
    let (ends, end) = AsyncStream<Result<[any Service], any Error>>.makeStream()
    let first = EndService(signal: signal, logger: logger) {
      // Why the services end. Those that are cancelled later fail as well.
      let error = progress.failure
      let deadline = DispatchTime.now() + max(.zero, limit - Self.rest) / .seconds(1)
      DispatchQueue.global().asyncAfter(deadline: deadline) {
        end.yield(error.map { .failure($0) } ?? .success(progress.running))
      }
    }
    let watched: [any Service] = services.enumerated().map { index, service in
      WatchedService(service: service, index: index, progress: progress)
    }
    var configuration = ServiceGroupConfiguration(
      services: watched.map {
        .init(service: $0, failureTerminationBehavior: .gracefullyShutdownGroup)
      }
        + [.init(service: first, successTerminationBehavior: .gracefullyShutdownGroup)],
      logger: logger
    )
    configuration.maximumGracefulShutdownDuration = max(.zero, limit - Self.rest - Self.grace)
    let group = ServiceGroup(configuration: configuration)
    let running = Task {
      do {
        try await group.run()
        end.yield(.success([]))
      } catch {
        end.yield(.failure(error))
      }
    }
    // A task of its own, because a cancelled one would not wait.
    let waiting = Task {
      try await ends.first { _ in true }?.get() ?? []
    }
    let left = try await withTaskCancellationHandler {
      try await waiting.value
    } onCancel: {
      running.cancel()
    }
    let endings = left.compactMap { $0 as? Ending }
    if endings.count < left.count {
      logger.error("Requests had not ended on shutdown", metadata: ["limit": "\(limit)"])
    }
    guard endings.isEmpty else { throw UnfinishedError(endings, within: limit) }
    return left.isEmpty
  }
}

/// Ends with a signal, and so begins the end of the services, or notices that they begin to end.
private struct EndService: Service {
  let signal: EndSignal
  let logger: Logger
  let didBegin: @Sendable () -> Void

  func run() async {
    if let name = await cancelWhenGracefulShutdown({ await self.signal.wait() }) {
      self.logger.debug("A signal ends the server", metadata: ["signal": "\(name)"])
    }
    self.didBegin()
  }
}

/// Notes the end of a service. An error is noted before the others are told to end.
private struct WatchedService: Service, CustomStringConvertible {
  let service: any Service
  let index: Int
  let progress: ServiceProgress

  var description: String { "\(self.service)" }

  func run() async throws {
    do {
      try await self.service.run()
      self.progress.didEnd(self.index, nil)
    } catch {
      self.progress.didEnd(self.index, error)
      throw error
    }
  }
}

/// Which services are still running, and the first error.
private final class ServiceProgress: Sendable {
  private struct Contents {
    var running: [Int: any Service]
    var failure: (any Error)?
  }

  private let contents: Mutex<Contents>

  init(_ services: [any Service]) {
    self.contents = Mutex(
      Contents(running: Dictionary(uniqueKeysWithValues: services.enumerated().map { ($0, $1) })))
  }

  /// In their order.
  var running: [any Service] {
    self.contents.withLock { $0.running.sorted { $0.key < $1.key }.map(\.value) }
  }

  var failure: (any Error)? { self.contents.withLock { $0.failure } }

  func didEnd(_ index: Int, _ error: (any Error)?) {
    self.contents.withLock { contents in
      contents.running[index] = nil
      contents.failure = contents.failure ?? error
    }
  }
}
