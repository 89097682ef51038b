import CoreMetrics
import ImmutableData
import ImmutableUI
import Observation

/// A metric that follows the state of a product and is shown by `/metrics`.
///
/// It uses the guide's `Listener` outside a window: it selects again after each action, and
/// notifies observers when the output changes.
@MainActor final class StateGauge<State: Sendable, Action: Sendable> {
  private let gauge: Gauge
  private let listener: ImmutableUI.Listener<State, Action, Int>

  /// - Parameters:
  ///   - label: The metric's name.
  ///   - store: The store whose state it follows, as long as the gauge exists.
  ///   - count: The value. It runs after every action, so it must be O(1).
  init(
    label: String,
    store: Store<State, Action>,
    count: @escaping @Sendable (State) -> Int
  ) {
    self.gauge = Gauge(label: label)
    self.listener = ImmutableUI.Listener(
      label: label,
      outputSelector: OutputSelector(select: count)
    )
    self.listener.listen(to: store)
    self.follow()
  }

  private func follow() {
    let count = withObservationTracking {
      self.listener.output
    } onChange: { [weak self] in
      // The output is about to change. The task runs after it has changed.
      Task { @MainActor in self?.follow() }
    }
    self.gauge.record(count)
  }
}
