import Dispatch
package import Logging
package import ServiceLifecycle
import Synchronization

/// The services of a server. They end in time even if a part of them does not, for example a request
/// that waits for a disk that does not answer, as long as a thread that runs tasks is free.
package enum ServerServices {
  /// Some services have not ended in time. Their tasks go on until the process ends.
  package struct Unfinished: Error {}

  /// Runs services until one of ``EndSignal/all`` arrives, one of them fails, or the task is
  /// cancelled.
  ///
  /// - Parameters:
  ///   - services: They end in reverse order.
  ///   - limit: How long they may take to end. Then they are cancelled, and have another second.
  ///   - logger: Receives what happens to the services.
  /// - Throws: What a service throws; ``Unfinished`` if none has, and they do not end in time.
  package static func run(
    _ services: [any Service],
    endingWithin limit: Duration,
    logger: Logger
  ) async throws {
    let (ends, end) = AsyncStream<Result<Void, any Error>>.makeStream()
    let failure = FirstFailure()
    let first = EndService {
      let rest = (limit + .seconds(1)) / .seconds(1)
      // Why the services end. Those that are cancelled later fail as well.
      let error: any Error = failure.error ?? Unfinished()
      DispatchQueue.global().asyncAfter(deadline: .now() + rest) {
        end.yield(.failure(error))
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
        end.yield(.success(()))
      } catch {
        end.yield(.failure(error))
      }
    }
    // A task of its own, because a cancelled one would not wait.
    let waiting = Task {
      for await result in ends { return try result.get() }
    }
    try await withTaskCancellationHandler {
      try await waiting.value
    } onCancel: {
      running.cancel()
    }
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
