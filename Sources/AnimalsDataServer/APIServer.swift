import AnimalsData
import Foundation
import HTTPConnections
import Hummingbird
import Logging
import NIOCore
import ServiceLifecycle
import Terminal
import UnixSignals

/// Serves an ``API`` over HTTP.
struct APIServer<Store>: Sendable where Store: PersistentSessionPersistentStore {
  let api: API<Store>
  let host: String
  let port: Int
  let logger: Logger

  /// Serves until SIGTERM or SIGINT, or until the task is cancelled.
  ///
  /// - Parameter onRunning: Is told the address once the server listens.
  /// - Throws: `Complaint` when the port is in use, or what else kept it from listening.
  func run(onRunning: @escaping @Sendable (String) async -> Void) async throws {
    let application = Application(
      responder: self.api,
      server: .http1(within: self.api.limits),
      configuration: ApplicationConfiguration(
        address: .hostname(self.host, port: self.port)
      ),
      onServerRunning: { channel in
        try? await channel.pauseWhenFull()
        await onRunning(channel.url(host: self.host, port: self.port))
      },
      logger: self.logger
    )
    var group = ServiceGroupConfiguration(
      services: [.init(service: application)],
      gracefulShutdownSignals: [.sigterm, .sigint],
      logger: self.logger
    )
    // A client that takes nothing must not keep the server from ending.
    group.maximumGracefulShutdownDuration = .seconds(10)
    do {
      try await ServiceGroup(configuration: group).run()
    } catch let error as IOError where error.errnoCode == EADDRINUSE {
      throw Complaint(
        "\(self.host):\(self.port) is in use. Stop what listens there, or choose another port with "
          + "--port."
      )
    }
  }
}
