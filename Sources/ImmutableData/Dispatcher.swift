/// Accepts what just happened: an action, or a thunk that may dispatch several.
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
  /// - Throws: What the reducer throws; the state is then unchanged and no stream is told.
  @MainActor func dispatch(action: Action) throws

  /// Runs a unit of synchronous work that selects and dispatches.
  ///
  /// - Parameter thunk: Is given the dispatcher and the selector to work with.
  /// - Throws: What the thunk throws; what it had dispatched before stays.
  @MainActor func dispatch(
    thunk: @Sendable (Self.Dispatcher, Self.Selector) throws -> Void
  ) rethrows

  /// Runs a unit of asynchronous work that selects and dispatches.
  ///
  /// - Parameter thunk: Is given the dispatcher and the selector to work with.
  /// - Throws: What the thunk throws; what it had dispatched before stays.
  @MainActor func dispatch(
    thunk: @Sendable (Self.Dispatcher, Self.Selector) async throws -> Void
  ) async rethrows
}
