/// Counts.
///
/// Source: the guide, chapter CounterData, section CounterReducer.
public enum CounterReducer {
  /// Counts as in the guide: an action that would leave the range of `Int` changes nothing.
  ///
  /// - Complexity: O(1).
  @Sendable public static func reduce(
    state: CounterState,
    action: CounterAction
  ) -> CounterState {
    (try? Self.reduceOrRefuse(state: state, action: action)) ?? state
  }

  /// Counts, and throws where ``reduce(state:action:)`` would do nothing. For stores whose users
  /// need an answer.
  ///
  /// - Throws: ``Error`` with the code ``Error/Code/overflow`` if the next value is not an `Int`;
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
