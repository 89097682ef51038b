import Synchronization

/// When a server has to have ended. Each part of the end takes what is left of the time, except for
/// what the parts after it need.
package final class EndDeadline: Sendable {
  /// The parts of the end, in their order.
  package enum Part: Sendable {
    /// Posts and effects in progress.
    case effects
    /// Requests, and connections whose clients still read.
    case connections
    /// All other services. Those that have not ended by then are cancelled.
    case services
    /// What is closed last.
    case endings
    /// The last lines of the log.
    case log

    /// What the parts after it, and the end of the process, need.
    fileprivate var reserve: Duration {
      switch self {
      case .effects: .seconds(4)
      case .connections: .seconds(3)
      case .services: .seconds(1)
      case .endings: .milliseconds(400)
      case .log: .milliseconds(250)
      }
    }
  }

  /// How long the process may take to end.
  let limit: Duration
  private let beginning = Mutex<ContinuousClock.Instant?>(nil)

  init(_ limit: Duration) {
    self.limit = limit
  }

  /// The end begins now, unless it has begun before.
  func begin() {
    self.beginning.withLock { $0 = $0 ?? .now }
  }

  /// How long a part of the end may still take.
  package func left(for part: Part) -> Duration {
    let passed = self.beginning.withLock { $0 }?.duration(to: .now) ?? .zero
    return max(.zero, self.limit - passed - part.reserve)
  }
}
