/// Accepts actions, and thunks that may dispatch several actions.
///
/// Source: the guide, chapter ImmutableData, section Dispatcher.
public protocol Dispatcher<State, Action>: Sendable {
  associatedtype State: Sendable
  associatedtype Action: Sendable
  associatedtype Dispatcher: ImmutableData.Dispatcher<Self.State, Self.Action>
  associatedtype Selector: ImmutableData.Selector<Self.State>

  /// Reduces one action.
  ///
  /// - Parameter action: What just happened.
  /// - Throws: What the reducer throws; then the state is unchanged and no stream is notified.
  @MainActor func dispatch(action: Action) throws

  /// Runs a unit of synchronous work that selects and dispatches.
  ///
  /// - Parameter thunk: Receives the dispatcher and the selector.
  /// - Throws: What the thunk throws; the actions that it has dispatched remain in effect.
  @MainActor func dispatch(
    thunk: @Sendable (Self.Dispatcher, Self.Selector) throws -> Void
  ) rethrows

  /// Runs a unit of asynchronous work that selects and dispatches.
  ///
  /// - Parameter thunk: Receives the dispatcher and the selector.
  /// - Throws: What the thunk throws; the actions that it has dispatched remain in effect.
  @MainActor func dispatch(
    thunk: @Sendable (Self.Dispatcher, Self.Selector) async throws -> Void
  ) async rethrows
}
