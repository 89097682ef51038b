public import ImmutableData

/// A state that declares the action type of its store.
///
/// It lets a selector infer its store from the closure that it is given:
///
/// ```swift
/// extension CounterState: StoreState {
///   public typealias Action = CounterAction
/// }
///
/// @ImmutableUI.Selector(outputSelector: CounterState.selectValue()) var value
/// ```
///
/// It can also say how an action ends, for all pages of the product.
public protocol StoreState<Action>: Sendable {
  associatedtype Action: Sendable

  /// The status of an action's side effect, for each page whose root declares none of its own
  /// (``Root/status(of:in:)``). Pure.
  static func status(of action: Action, in state: Self) -> OperationStatus?

  /// The toast for an action, for each page whose root declares none of its own
  /// (``Root/toast(for:in:)``). Pure.
  ///
  /// - Parameter state: The state before the action.
  static func toast(for action: Action, in state: Self) -> Toast<Self>?
}

extension StoreState {
  /// The type of its store, for selectors that cannot infer it:
  ///
  /// ```swift
  /// @ImmutableUI.Selector<NotesState.Store, Note?> var wrappedValue: Note?
  /// ```
  public typealias Store = ImmutableData.Store<Self, Action>

  public static func status(of action: Action, in state: Self) -> OperationStatus? { nil }

  public static func toast(for action: Action, in state: Self) -> Toast<Self>? { nil }
}
