import ImmutableData
import Observation

// `@Observable` on a type that is generic over a pack crashes the compiler (Swift 6.3.1), and one
// nested in it aborts at run time.
@MainActor @Observable final private class Storage<Output> {
  var output: Output?
}

/// Keeps one selector's output up to date while it listens to a store. See ``Listener``.
///
/// Source: the guide, chapter ImmutableUI, section Selector.
@MainActor final class AsyncListener<State, Action, each Dependency, Output>
where State: Sendable, Action: Sendable, repeat each Dependency: Sendable, Output: Sendable {
  private let label: String?
  private let filter: (@Sendable (State, Action) -> Bool)?
  private var memo: Memo<State, repeat each Dependency, Output>
  private let storage = Storage<Output>()

  init(
    label: String? = nil,
    filter isIncluded: (@Sendable (State, Action) -> Bool)? = nil,
    dependencySelector: repeat DependencySelector<State, each Dependency>,
    outputSelector: OutputSelector<State, Output>
  ) {
    self.label = label
    self.filter = isIncluded
    self.memo = Memo(
      dependencySelector: repeat each dependencySelector,
      outputSelector: outputSelector
    )
  }
}

extension AsyncListener {
  /// The newest output. Reading it before the first ``update(with:)`` is a programmer error.
  var output: Output {
    guard let output = self.storage.output else {
      preconditionFailure("AsyncListener has no output yet: call update(with:) first")
    }
    return output
  }

  /// Selects from the store: each dependency and, if one has changed or there are none, the output.
  /// It calls `store.select` once for each, in this order.
  func update(with store: some ImmutableData.Selector<State>) {
    SelectorLog.update(self.label, by: self)
    if self.memo.hasDependency {
      SelectorLog.run(.dependency, self.label, by: self)
      let dependency = store.selectMany(repeat (each self.memo.dependencySelector).select)
      guard self.memo.updateDependency(repeat each dependency) else { return }
    }
    SelectorLog.run(.output, self.label, by: self)
    if self.memo.updateOutput(store.select(self.memo.outputSelector.select)) {
      self.storage.output = self.memo.output
    }
  }

  /// Updates for every action that passes the filter, until the stream ends.
  func listen<S>(
    to stream: S,
    with store: some ImmutableData.Selector<State>
  ) async throws
  where S: AsyncSequence, S: Sendable, S.Element == (oldState: State, action: Action) {
    if let filter = self.filter {
      for try await _ in stream.filter(filter) {
        self.update(with: store)
      }
    } else {
      for try await _ in stream {
        self.update(with: store)
      }
    }
  }
}

extension ImmutableData.Selector {
  /// Selects several values, in order.
  @MainActor fileprivate func selectMany<each T>(
    _ select: repeat @escaping @Sendable (State) -> each T
  ) -> (repeat each T) where repeat each T: Sendable {
    (repeat self.select(each select))
  }
}
