/// What can happen to the counter.
///
/// Source: the guide, chapter CounterData, section CounterAction.
public enum CounterAction: Sendable {
  case didTapIncrementButton
  case didTapDecrementButton
}
