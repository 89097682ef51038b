/// The state that all windows share: one integer.
///
/// Source: the guide, chapter CounterData, section CounterState.
public struct CounterState: Codable, Sendable {
  package var value: Int

  public init(_ value: Int = 0) {
    self.value = value
  }
}

extension CounterState {
  /// - Complexity: O(1).
  public static func selectValue() -> @Sendable (Self) -> Int {
    { state in state.value }
  }
}
