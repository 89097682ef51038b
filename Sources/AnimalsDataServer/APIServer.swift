import AnimalsData
import Foundation
import HTTPConnections
import Hummingbird
import Logging
import Pictures
import ServiceLifecycle
import Terminal

/// Serves an ``API`` over HTTP.
struct APIServer<Store>: Sendable where Store: PersistentSessionPersistentStore {
  let api: API<Store>
  let host: String
  let port: Int
  let logger: Logger
  /// What is finished when it has served.
  var endings: [Ending] = []

  /// Serves until SIGTERM, SIGINT or SIGHUP, or until the task is cancelled. Then it returns within
  /// ten seconds, even if requests are still in progress.
  ///
  /// - Parameter onRunning: Receives the address once the server listens.
  /// - Throws: `Complaint` if it cannot listen at its address, or any other error.
  func run(onRunning: @escaping @Sendable (String) async -> Void) async throws {
    let listening = Listening(host: self.host, port: self.port, logger: self.logger)
    let application = Application(
      responder: self.api,
      server: .http1(within: self.api.limits),
      configuration: listening.configuration,
      onServerRunning: { await onRunning(listening.begin(on: $0)) },
      logger: self.logger
    )
    // They end in reverse order: first the streams, because connections wait for them.
    let services: [any Service] = [
      application, ChangesService(api: self.api, logger: self.logger),
    ]
    do {
      _ = try await ServerServices.run(
        services, endings: self.endings, until: self.api.limits.endSignal, logger: self.logger)
    } catch {
      guard let failure = listening.failure(error) else { throw error }
      throw Complaint("\(failure.sentence) (--host, --port)")
    }
  }
}

/// Sends readers the changes that others make to the store, and heartbeats.
private struct ChangesService<Store>: Service where Store: PersistentSessionPersistentStore {
  private static var heartbeat: Duration { .seconds(15) }

  let api: API<Store>
  let logger: Logger

  func run() async throws {
    await withGracefulShutdownHandler {
      await cancelWhenGracefulShutdown {
        await withTaskGroup { group in
          group.addTask { await self.beat() }
          group.addTask { await self.follow() }
          group.addTask { await self.removeUnusedPictures() }
        }
      }
    } onGracefulShutdown: {
      self.api.changes.close()
    }
  }

  private func beat() async {
    while (try? await Task.sleep(for: Self.heartbeat)) != nil { self.api.changes.beat() }
  }

  private func removeUnusedPictures() async {
    guard let pictures = self.api.pictures else { return }
    await pictures.store.keepRemovingUnused(except: pictures.used) { error in
      self.logger.warning("Unused pictures could not be removed", metadata: ["error": "\(error)"])
    }
  }

  private func follow() async {
    var isLost = false
    while Task.isCancelled == false {
      let beginning = ContinuousClock.now
      do {
        return try await self.api.store.followChanges(since: nil) {
        } _: { _ in
          self.api.changes.append(nil)
        }
      } catch {
        // If it could be followed for longer than a failing check takes (2 s, if another program
        // has locked the database), this is a new outage.
        if beginning.duration(to: .now) > .seconds(5) { isLost = false }
        if isLost == false, Task.isCancelled == false {
          self.logger.error(
            "Changes by other programs cannot be noticed at the moment; trying again",
            metadata: ["error": "\(error)"]
          )
        }
        isLost = true
        try? await Task.sleep(for: .seconds(1))
      }
    }
  }
}
