public import ImmutableData
import Testing

/// A selector for one thunk, which must not use it.
public struct CountedSelector<State: Sendable>: ImmutableData.Selector {
  private let state: State

  public init(_ state: State) {
    self.state = state
  }

  public func select<T>(_ selector: @Sendable (State) -> T) -> T where T: Sendable {
    Issue.record("The guide's sessions select nothing.")
    return selector(self.state)
  }
}
