import CoreMetrics
import ImmutableData
import ImmutableUI
import Observation

/// A metric that follows the state of a product: whoever watches `/metrics` sees it, as a window would.
///
/// It is what the guide's `Listener` is for where no window is: it selects again after each action, and
/// observers learn of an output that differs.
@MainActor final class StateGauge<State: Sendable, Action: Sendable> {
  private let gauge: Gauge
  private let listener: ImmutableUI.Listener<State, Action, Int>

  /// - Parameters:
  ///   - label: The metric's name.
  ///   - store: Whose state it follows, for as long as the gauge is there.
  ///   - count: What it shows. It runs after every action: O(1).
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
      // It is about to change; the task comes when it has.
      Task { @MainActor in self?.follow() }
    }
    self.gauge.record(count)
  }
}
