import Dispatch
import Hummingbird
package import Logging
package import ServiceLifecycle
import Synchronization

/// The services of a server. They end in time even if a part of them does not, for example a request
/// that waits for a disk that does not answer, as long as a thread that runs tasks is free.
package enum ServerServices {
  /// What happens while the services end.
  private enum Event {
    case timeToCancel, timeToGiveUp
    /// All have ended.
    case end((any Error)?)
  }

  /// Runs services until a signal arrives, one of them fails, or the task is cancelled.
  ///
  /// - Parameters:
  ///   - services: They end in reverse order, until the time for services is over
  ///     (``EndDeadline``). Those that have not ended by then are cancelled, all at the same time.
  ///   - endings: What is finished after them.
  ///   - signal: Notices the signals that end them, also one that came before, and knows how long the
  ///     end may take.
  ///   - logger: Receives what happens to the services, and an error if they do not end in time.
  /// - Returns: Whether they ended in time. Otherwise their tasks go on until the process ends.
  /// - Throws: What a service throws, or an error that names each ``Ending`` that has failed, or has
  ///   not ended in time.
  package static func run(
    _ services: [any Service],
    endings: [Ending] = [],
    until signal: EndSignal,
    logger: Logger
  ) async throws -> Bool {
    let deadline = signal.deadline
    // What a program writes about its end follows.
    defer { LogWriter.standardError.finish(by: deadline) }
    let progress = ServiceProgress(services)
    let last = EndingService(endings)
    let (events, event) = AsyncStream<Event>.makeStream()
    let first = EndService(signal: signal, logger: logger) {
      let times = [(EndDeadline.Part.services, Event.timeToCancel), (.endings, .timeToGiveUp)]
      for (part, end) in times {
        let time = DispatchTime.now() + deadline.left(for: part) / .seconds(1)
        DispatchQueue.global().asyncAfter(deadline: time) { event.yield(end) }
      }
    }
    let watched: [any Service] = services.enumerated().map { index, service in
      WatchedService(service: service, index: index, progress: progress)
    }
    let group = ServiceGroup(
      configuration: ServiceGroupConfiguration(
        services: ([last] + watched).map {
          .init(service: $0, failureTerminationBehavior: .gracefullyShutdownGroup)
        }
          + [.init(service: first, successTerminationBehavior: .gracefullyShutdownGroup)],
        logger: logger
      ))
    let running = Task {
      do {
        try await group.run()
        event.yield(.end(nil))
      } catch {
        event.yield(.end(error))
      }
    }
    let cancel = { @Sendable in
      progress.willCancel()
      running.cancel()
    }
    // A task of its own, because a cancelled one would not wait; and it must not wait behind the tasks
    // of requests.
    let waiting = Task(priority: .high) { () -> (any Error)? in
      for await event in events {
        switch event {
        case .timeToCancel:
          last.begin()
          cancel()
        case .timeToGiveUp: return progress.failure
        case .end(let error): return progress.isCancelled ? progress.failure : error
        }
      }
      return nil
    }
    let failure = await withTaskCancellationHandler {
      await waiting.value
    } onCancel: {
      cancel()
    }
    let left = progress.running
    Self.log(left, within: deadline.limit, logger)
    let unfinished = last.problems(within: deadline.limit)
    guard unfinished.isEmpty else { throw UnfinishedError(unfinished, after: failure) }
    if let failure { throw failure }
    return left.isEmpty
  }

  private static func log(_ left: [any Service], within limit: Duration, _ logger: Logger) {
    let others = left.filter { $0 is any ApplicationProtocol == false }
    if others.count < left.count {
      logger.error("Requests had not ended on shutdown", metadata: ["limit": "\(limit)"])
    }
    guard others.isEmpty == false else { return }
    let names = others.map { String("\(type(of: $0))".prefix { $0 != "<" }) }
    logger.error(
      "Services had not ended on shutdown",
      metadata: ["limit": "\(limit)", "services": "\(names.joined(separator: ", "))"])
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
    self.signal.deadline.begin()
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
    var isCancelled = false
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

  /// The first error before they were cancelled. Those that are cancelled fail as well.
  var failure: (any Error)? { self.contents.withLock { $0.failure } }

  var isCancelled: Bool { self.contents.withLock { $0.isCancelled } }

  func willCancel() {
    self.contents.withLock { $0.isCancelled = true }
  }

  func didEnd(_ index: Int, _ error: (any Error)?) {
    self.contents.withLock { contents in
      contents.running[index] = nil
      if contents.isCancelled == false { contents.failure = contents.failure ?? error }
    }
  }
}
