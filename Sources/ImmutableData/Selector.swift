/// Reads slices of the current state.
///
/// Source: the guide, chapter ImmutableData, section Selector.
public protocol Selector<State>: Sendable {
  associatedtype State: Sendable

  /// Applies a pure function to the current state.
  ///
  /// - Parameter selector: Picks or derives a value.
  /// - Returns: What `selector` returned.
  /// - Complexity: The same as `selector`.
  @MainActor func select<T>(_ selector: @Sendable (Self.State) -> T) -> T where T: Sendable
}

extension Selector {
  /// The whole current state. Prefer to select the smallest slice that is sufficient.
  @MainActor public var state: State {
    self.select { state in state }
  }
}
