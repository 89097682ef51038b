/// A state that declares the action type of its store.
///
/// It lets a selector infer its store from the closure that it is given:
///
/// ```swift
/// extension CounterState: StoreState {
///   public typealias Action = CounterAction
/// }
///
/// @ImmutableUI.Selector(outputSelector: CounterState.selectValue()) var value
/// ```
public protocol StoreState<Action>: Sendable {
  associatedtype Action: Sendable
}
