/// Derives a value that a component shows, and compares two such values.
///
/// Source: the guide, chapter ImmutableUI, section Selector.
public struct OutputSelector<State, Output>: Sendable {
  let select: @Sendable (State) -> Output
  let didChange: @Sendable (Output, Output) -> Bool

  /// - Parameters:
  ///   - select: Derives the output.
  ///   - didChange: Returns true when the second value differs from the first.
  public init(
    select: @escaping @Sendable (State) -> Output,
    didChange: @escaping @Sendable (Output, Output) -> Bool
  ) {
    self.select = select
    self.didChange = didChange
  }
}

extension OutputSelector where Output: Equatable & Sendable {
  /// Two outputs differ when they are not equal.
  public init(select: @escaping @Sendable (State) -> Output) {
    self.init(select: select, didChange: { $0 != $1 })
  }
}
