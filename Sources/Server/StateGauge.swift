import CoreMetrics
import ImmutableData

/// A metric that follows the state of a product and is shown by `/metrics`, as long as it exists.
@MainActor final class StateGauge<State: Sendable, Action: Sendable> {
  private let following: Task<Void, Never>

  /// - Parameters:
  ///   - label: The metric's name.
  ///   - store: The store whose state it follows.
  ///   - count: The value. It runs after every action, unless many come at once, so it must be O(1).
  init(
    label: String,
    store: Store<State, Action>,
    count: @escaping @Sendable (State) -> Int
  ) {
    let gauge = Gauge(label: label)
    let signal = store.makeSignal()
    gauge.record(count(store.snapshot().state))
    self.following = Task {
      for await _ in signal { gauge.record(count(store.snapshot().state)) }
    }
  }

  deinit {
    self.following.cancel()
  }
}
