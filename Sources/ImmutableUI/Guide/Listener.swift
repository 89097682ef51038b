package import ImmutableData

/// Owns the ``AsyncListener`` of one selector, and makes a new one when the selector's `id` or its
/// store changes.
///
/// Pages do not use it: one frame updates the selectors of all windows together, with a
/// ``StoreMemo`` for each. It is the guide's way for a view that lives as long as it is shown, and
/// is here, with the guide's names and access, for code that is written against the guide.
///
/// Source: the guide, chapter ImmutableUI, section Selector.
@MainActor final package class Listener<State, Action, each Dependency, Output>
where State: Sendable, Action: Sendable, repeat each Dependency: Sendable, Output: Sendable {
  private var id: AnyHashable?
  private var label: String?
  private var filter: (@Sendable (State, Action) -> Bool)?
  private var dependencySelector: (repeat DependencySelector<State, each Dependency>)
  private var outputSelector: OutputSelector<State, Output>

  private weak var store: AnyObject?
  private var listener: AsyncListener<State, Action, repeat each Dependency, Output>?
  private var task: Task<Void, any Error>?

  package init(
    id: some Hashable,
    label: String? = nil,
    filter isIncluded: (@Sendable (State, Action) -> Bool)? = nil,
    dependencySelector: repeat DependencySelector<State, each Dependency>,
    outputSelector: OutputSelector<State, Output>
  ) {
    self.id = AnyHashable(id)
    self.label = label
    self.filter = isIncluded
    self.dependencySelector = (repeat each dependencySelector)
    self.outputSelector = outputSelector
  }

  package init(
    label: String? = nil,
    filter isIncluded: (@Sendable (State, Action) -> Bool)? = nil,
    dependencySelector: repeat DependencySelector<State, each Dependency>,
    outputSelector: OutputSelector<State, Output>
  ) {
    self.id = nil
    self.label = label
    self.filter = isIncluded
    self.dependencySelector = (repeat each dependencySelector)
    self.outputSelector = outputSelector
  }

  deinit {
    self.task?.cancel()
  }
}

extension Listener {
  /// The newest output. Reading it before ``listen(to:)`` is a programmer error.
  package var output: Output {
    guard let output = self.listener?.output else {
      preconditionFailure("Listener has no output yet: call listen(to:) first")
    }
    return output
  }
}

extension Listener {
  /// Replaces the parameters if `id` has changed. The next ``listen(to:)`` then starts again.
  package func update(
    id: some Hashable,
    label: String? = nil,
    filter isIncluded: (@Sendable (State, Action) -> Bool)? = nil,
    dependencySelector: repeat DependencySelector<State, each Dependency>,
    outputSelector: OutputSelector<State, Output>
  ) {
    self.update(
      to: AnyHashable(id),
      label: label,
      filter: isIncluded,
      dependencySelector: repeat each dependencySelector,
      outputSelector: outputSelector
    )
  }

  /// Replaces the parameters if there was an `id`. The next ``listen(to:)`` then starts again.
  package func update(
    label: String? = nil,
    filter isIncluded: (@Sendable (State, Action) -> Bool)? = nil,
    dependencySelector: repeat DependencySelector<State, each Dependency>,
    outputSelector: OutputSelector<State, Output>
  ) {
    self.update(
      to: nil,
      label: label,
      filter: isIncluded,
      dependencySelector: repeat each dependencySelector,
      outputSelector: outputSelector
    )
  }

  private func update(
    to id: AnyHashable?,
    label: String?,
    filter isIncluded: (@Sendable (State, Action) -> Bool)?,
    dependencySelector: repeat DependencySelector<State, each Dependency>,
    outputSelector: OutputSelector<State, Output>
  ) {
    guard self.id != id else { return }
    self.id = id
    self.label = label
    self.filter = isIncluded
    self.dependencySelector = (repeat each dependencySelector)
    self.outputSelector = outputSelector
    self.store = nil
  }
}

extension Listener {
  /// Selects from the store now and after every action, until the listener is released or listens
  /// to another store. Calling it again with the same store does nothing.
  package func listen(
    to store: some ImmutableData.Selector<State> & ImmutableData.Streamer<State, Action>
      & AnyObject
  ) {
    guard self.store !== store else { return }
    self.store = store

    let listener = AsyncListener<State, Action, repeat each Dependency, Output>(
      label: self.label,
      filter: self.filter,
      dependencySelector: repeat each self.dependencySelector,
      outputSelector: self.outputSelector
    )
    listener.update(with: store)
    self.listener = listener

    let stream = store.makeStream()
    self.task?.cancel()
    self.task = Task {
      try await listener.listen(to: stream, with: store)
    }
  }
}
