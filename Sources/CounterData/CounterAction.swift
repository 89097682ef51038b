/// The events of the counter.
///
/// Source: the guide, chapter CounterData, section CounterAction.
public enum CounterAction: Codable, Sendable {
  case didTapIncrementButton
  case didTapDecrementButton
}
