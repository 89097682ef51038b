public import CounterData
public import ImmutableUI

extension CounterState: StoreState {
  public typealias Action = CounterAction
}
