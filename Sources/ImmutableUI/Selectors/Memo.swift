/// A step that an update of a ``Memo`` runs.
enum MemoStep {
  case dependency
  case output
}

/// The memo of one selector: its last dependencies and outputs.
///
/// Windows use it in a ``StoreMemo``, which frames update. The guide's ``AsyncListener`` uses it too.
///
/// Source: the guide, chapter ImmutableUI, section Selector.
struct Memo<State, each Dependency, Output>
where State: Sendable, repeat each Dependency: Sendable, Output: Sendable {
  let dependencySelector: (repeat DependencySelector<State, each Dependency>)
  let outputSelector: OutputSelector<State, Output>
  let hasDependency: Bool
  private var oldDependency: (repeat each Dependency)?
  private var oldOutput: Output?

  /// The output of the last update that changed it; `nil` before the first.
  private(set) var output: Output?

  init(
    dependencySelector: repeat DependencySelector<State, each Dependency>,
    outputSelector: OutputSelector<State, Output>
  ) {
    self.dependencySelector = (repeat each dependencySelector)
    self.outputSelector = outputSelector
    self.hasDependency = isEmpty(repeat each dependencySelector) == false
  }

  /// Selects the dependencies and, if one has changed (or there are none), the output.
  ///
  /// - Parameters:
  ///   - state: The state to select from.
  ///   - willRun: Called before each step that runs.
  /// - Returns: Whether ``output`` has a new value.
  /// - Complexity: The same as the selectors that run.
  mutating func update(_ state: State, willRun: (MemoStep) -> Void = { _ in }) -> Bool {
    if self.hasDependency {
      willRun(.dependency)
      let dependency = (repeat (each self.dependencySelector).select(state))
      guard self.updateDependency(repeat each dependency) else { return false }
    }
    willRun(.output)
    return self.updateOutput(self.outputSelector.select(state))
  }

  /// Whether the output that the selector would derive now differs from ``output``.
  func isStale(_ state: State) -> Bool {
    guard let output = self.output else { return false }
    return self.outputSelector.didChange(output, self.outputSelector.select(state))
  }

  /// Stores newly selected dependencies.
  ///
  /// - Returns: Whether one differs from the stored ones. The first ones always do.
  mutating func updateDependency(_ dependency: repeat each Dependency) -> Bool {
    defer { self.oldDependency = (repeat each dependency) }
    guard let oldDependency = self.oldDependency else { return true }
    return didChange(
      repeat (each self.dependencySelector).didChange,
      lhs: repeat each oldDependency,
      rhs: repeat each dependency
    )
  }

  /// Stores a newly selected output.
  ///
  /// - Returns: Whether ``output`` has a new value.
  mutating func updateOutput(_ output: Output) -> Bool {
    defer { self.oldOutput = output }
    if let oldOutput = self.oldOutput, self.outputSelector.didChange(oldOutput, output) == false {
      return false
    }
    self.output = output
    return true
  }
}

// Leaving a loop over a pack early (`for _ in repeat each x { return … }`) gives wrong results for
// an empty pack under -O (Swift 6.3.1). So these functions leave by throwing, as in the guide.

private struct Found: Error {}

private func isEmpty<each Element>(_ element: repeat each Element) -> Bool {
  func found<T>(_ element: T) throws { throw Found() }
  do {
    repeat try found(each element)
  } catch {
    return false
  }
  return true
}

private func didChange<each Element>(
  _ didChange: repeat @escaping @Sendable (each Element, each Element) -> Bool,
  lhs: repeat each Element,
  rhs: repeat each Element
) -> Bool {
  func compare<T>(_ didChange: (T, T) -> Bool, _ lhs: T, _ rhs: T) throws {
    if didChange(lhs, rhs) { throw Found() }
  }
  do {
    repeat try compare(each didChange, each lhs, each rhs)
  } catch {
    return true
  }
  return false
}
