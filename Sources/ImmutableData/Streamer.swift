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
