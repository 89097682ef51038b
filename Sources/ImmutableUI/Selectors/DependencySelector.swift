/// Selects a value that an output depends on, and compares two such values.
///
/// Source: the guide, chapter ImmutableUI, section Selector.
public struct DependencySelector<State, Dependency>: Sendable {
  let select: @Sendable (State) -> Dependency
  let didChange: @Sendable (Dependency, Dependency) -> Bool

  /// - Parameters:
  ///   - select: Selects the dependency.
  ///   - didChange: Returns true when the second value differs from the first.
  public init(
    select: @escaping @Sendable (State) -> Dependency,
    didChange: @escaping @Sendable (Dependency, Dependency) -> Bool
  ) {
    self.select = select
    self.didChange = didChange
  }
}

extension DependencySelector where Dependency: Equatable & Sendable {
  /// Two dependencies differ when they are not equal.
  public init(select: @escaping @Sendable (State) -> Dependency) {
    self.init(select: select, didChange: { $0 != $1 })
  }
}
