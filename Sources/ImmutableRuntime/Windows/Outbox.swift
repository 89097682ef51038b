import ImmutableUI
import Synchronization

/// Hands the products' orders to whoever carries them out, one batch after the other.
final class Outbox: Sendable {
  private let send = Mutex<WindowGroup.Send>({ _ in })

  func connect(_ send: @escaping WindowGroup.Send) {
    self.send.withLock { $0 = send }
  }

  func send(_ orders: [Order]) {
    self.send.withLock { $0(orders) }
  }
}
