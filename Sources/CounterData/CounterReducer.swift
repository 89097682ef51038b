/// Counts.
///
/// Source: the guide, chapter CounterData, section CounterReducer.
public enum CounterReducer {
  /// Counts as the guide has it: an action that would leave the range of `Int` changes nothing.
  ///
  /// - Complexity: O(1).
  @Sendable public static func reduce(
    state: CounterState,
    action: CounterAction
  ) -> CounterState {
    (try? Self.reduceOrRefuse(state: state, action: action)) ?? state
  }

  /// Counts, and says so where it cannot: what to give a Store whose users look at the answer.
  ///
  /// - Throws: ``Error`` with the code ``Error/Code/overflow`` when the next value is no `Int`;
  ///   the state is unchanged.
  /// - Complexity: O(1).
  @Sendable public static func reduceOrRefuse(
    state: CounterState,
    action: CounterAction
  ) throws -> CounterState {
    switch action {
    case .didTapIncrementButton:
      try state.adding(1)
    case .didTapDecrementButton:
      try state.adding(-1)
    }
  }
}

extension CounterReducer {
  public struct Error: Swift.Error {
    public enum Code: Hashable, Sendable {
      /// The next value lies outside the range of `Int`.
      case overflow
    }

    public let code: Code
  }
}

extension CounterState {
  fileprivate func adding(_ summand: Int) throws -> CounterState {
    let (value, overflow) = self.value.addingReportingOverflow(summand)
    guard overflow == false else { throw CounterReducer.Error(code: .overflow) }
    var state = self
    state.value = value
    return state
  }
}
