/// Notifies listeners of every action after it was reduced.
///
/// Source: the guide, chapter ImmutableData, section Streamer.
public protocol Streamer<State, Action>: Sendable {
  associatedtype State: Sendable
  associatedtype Action: Sendable
  associatedtype Stream: AsyncSequence, Sendable
  where Self.Stream.Element == (oldState: Self.State, action: Self.Action)

  /// Makes a stream of all actions from now on, in the order of their dispatch, each with the
  /// state it was applied to.
  @MainActor func makeStream() -> Self.Stream

  /// Beyond the guide: calls back for every action from now on, after it was reduced. A ``Store``
  /// does so before its `dispatch` returns; the default implementation reads a stream.
  ///
  /// - Parameter body: Receives the state before the action, and the action. It may start work, but
  ///   must not dispatch.
  /// - Returns: A token: observation ends when the last reference to it is released.
  @MainActor func observe(
    _ body: @escaping @MainActor @Sendable (Self.State, Self.Action) -> Void
  ) -> Subscription

  /// Beyond the guide: like ``observe(_:)``, but also for the actions that other processes dispatch
  /// to the same state. Implement it only if there can be such actions.
  ///
  /// - Parameter body: Receives the state before the action, the action, and the process that it came
  ///   from; `nil` for this one.
  @MainActor func observeAll(
    _ body: @escaping @MainActor @Sendable (Self.State, Self.Action, _ node: String?) -> Void
  ) -> Subscription
}

extension Streamer {
  @MainActor public func observeAll(
    _ body: @escaping @MainActor @Sendable (Self.State, Self.Action, _ node: String?) -> Void
  ) -> Subscription {
    self.observe { oldState, action in body(oldState, action, nil) }
  }

  @MainActor public func observe(
    _ body: @escaping @MainActor @Sendable (Self.State, Self.Action) -> Void
  ) -> Subscription {
    let stream = self.makeStream()
    let task = Task { @MainActor in
      for try await (oldState, action) in stream {
        if Task.isCancelled { return }
        body(oldState, action)
      }
    }
    return Subscription { task.cancel() }
  }
}

/// A token for a subscription to a store. The subscription ends when the last reference is
/// released.
public final class Subscription: Sendable {
  let end: @Sendable () -> Void

  init(end: @escaping @Sendable () -> Void) {
    self.end = end
  }

  deinit {
    self.end()
  }
}
