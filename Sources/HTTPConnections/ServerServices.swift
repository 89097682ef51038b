import Dispatch
package import Logging
package import ServiceLifecycle
import Synchronization

/// The services of a server. They end in time even if a part of them does not, for example a request
/// that waits for a disk that does not answer, as long as a thread that runs tasks is free.
package enum ServerServices {
  /// Runs services until one of ``EndSignal/all`` arrives, one of them fails, or the task is
  /// cancelled.
  ///
  /// - Parameters:
  ///   - services: They end in reverse order.
  ///   - limit: How long they may take to end. Then they are cancelled, and have another second.
  ///   - logger: Receives what happens to the services, and an error if they do not end in time.
  /// - Returns: Whether they ended in time. Otherwise their tasks go on until the process ends.
  /// - Throws: What a service throws.
  package static func run(
    _ services: [any Service],
    endingWithin limit: Duration,
    logger: Logger
  ) async throws -> Bool {
    let (ends, end) = AsyncStream<Result<Bool, any Error>>.makeStream()
    let failure = FirstFailure()
    let first = EndService {
      let rest = (limit + .seconds(1)) / .seconds(1)
      // Why the services end. Those that are cancelled later fail as well.
      let error = failure.error
      DispatchQueue.global().asyncAfter(deadline: .now() + rest) {
        end.yield(error.map { .failure($0) } ?? .success(false))
      }
    }
    var configuration = ServiceGroupConfiguration(
      services: (services + [first]).map {
        .init(
          service: WatchedService(service: $0, failure: failure),
          failureTerminationBehavior: .gracefullyShutdownGroup, serviceName: "\($0)")
      },
      gracefulShutdownSignals: EndSignal.all,
      logger: logger
    )
    configuration.maximumGracefulShutdownDuration = limit
    let group = ServiceGroup(configuration: configuration)
    let running = Task {
      do {
        try await group.run()
        end.yield(.success(true))
      } catch {
        end.yield(.failure(error))
      }
    }
    // A task of its own, because a cancelled one would not wait.
    let waiting = Task {
      try await ends.first { _ in true }?.get() ?? false
    }
    let haveEnded = try await withTaskCancellationHandler {
      try await waiting.value
    } onCancel: {
      running.cancel()
    }
    if haveEnded == false {
      logger.error("Requests had not ended on shutdown", metadata: ["limit": "\(limit)"])
    }
    return haveEnded
  }
}

/// Notices that the services begin to end.
private struct EndService: Service {
  let didBegin: @Sendable () -> Void

  func run() async throws {
    try? await gracefulShutdown()
    self.didBegin()
  }
}

/// Notes the error of a service before the others are told to end.
private struct WatchedService: Service {
  let service: any Service
  let failure: FirstFailure

  func run() async throws {
    do {
      try await self.service.run()
    } catch {
      self.failure.note(error)
      throw error
    }
  }
}

/// The first error of the services.
private final class FirstFailure: Sendable {
  private let first = Mutex<(any Error)?>(nil)

  var error: (any Error)? { self.first.withLock { $0 } }

  func note(_ error: any Error) {
    self.first.withLock { $0 = $0 ?? error }
  }
}
