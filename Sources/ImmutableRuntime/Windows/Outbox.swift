import ImmutableUI
import Synchronization

/// Passes the products' commands to the function that carries them out, one batch at a time.
final class Outbox: Sendable {
  private let send = Mutex<WindowGroup.Send>({ _ in })
  private let reports = Mutex<WindowGroup.Reports>({ [:] })

  func connect(reports: @escaping WindowGroup.Reports, _ send: @escaping WindowGroup.Send) {
    self.send.withLock { $0 = send }
    self.reports.withLock { $0 = reports }
  }

  /// The status of the streams.
  func streamReports() async -> [Identifier: StreamReport] {
    await self.reports.withLock { $0 }()
  }

  func send(_ commands: [HubCommand]) {
    self.send.withLock { $0(commands) }
  }
}
