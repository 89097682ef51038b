import ImmutableUI
import Synchronization

/// Passes the products' commands to the function that carries them out, one batch at a time.
final class Outbox: Sendable {
  /// In a struct: in debug builds, each access to a closure that is itself the value of a `Mutex` wraps
  /// it once more, and so takes longer than the one before.
  private struct Functions {
    let send: WindowGroup.Send
    let reports: WindowGroup.Reports
  }

  private let functions: Mutex<Functions>
  private let sending = Mutex<Void>(())

  init() {
    self.functions = Mutex(Functions(send: { _ in }, reports: { [:] }))
  }

  func connect(reports: @escaping WindowGroup.Reports, _ send: @escaping WindowGroup.Send) {
    self.functions.withLock { $0 = Functions(send: send, reports: reports) }
  }

  /// The status of the streams.
  func streamReports() async -> [Identifier: StreamReport] {
    await self.functions.withLock { $0.reports }()
  }

  func send(_ commands: [HubCommand]) {
    let send = self.functions.withLock { $0.send }
    self.sending.withLock { _ in send(commands) }
  }
}
