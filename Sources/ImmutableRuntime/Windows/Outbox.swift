import ImmutableUI
import Synchronization

/// Passes the products' commands to the function that carries them out, one batch at a time.
final class Outbox: Sendable {
  private let send = Mutex<WindowGroup.Send>({ _ in })

  func connect(_ send: @escaping WindowGroup.Send) {
    self.send.withLock { $0 = send }
  }

  func send(_ commands: [HubCommand]) {
    self.send.withLock { $0(commands) }
  }
}
